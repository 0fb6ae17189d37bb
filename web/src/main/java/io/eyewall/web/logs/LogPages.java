package io.eyewall.web.logs;

import io.eyewall.web.api.HttpException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The pages: a part of a log, the dumps of a worker, what there is on this host. */
final class LogPages {

    /** How much of a log a page shows. */
    static final int PAGE_BYTES = 51_200;

    private static final int MAX_PAGE_BYTES = 1 << 20;
    private static final int MAX_LINKS = 10_000;
    private static final int MAX_SIBLINGS = 200;
    private static final String LOG = "/api/v1/log?file=";
    private static final String DAEMON_LOG = "/api/v1/daemonlog?file=";
    private static final Set<String> DUMPS = Set.of("txt", "jfr", "bin", "html");

    private final LogFiles files;
    private final SearchLimits limits;

    LogPages(LogFiles files, SearchLimits limits) {
        this.files = files;
        this.limits = limits;
    }

    /** {@code /}: every log that the reader may read. */
    void overview(Request asked) throws HttpException, IOException {
        limits.search(over -> {
            Html page = new Html("Logs of this host");
            int links = 0;
            if (asked.reader().mayRead(null)) {
                page.markup("<section class=\"panel\"><h2>Daemons</h2>");
                List<LogFile> ofDaemons = files.ofDaemons();
                links += list(page, ofDaemons, file -> DAEMON_LOG + Html.encoded(file.name()), MAX_LINKS);
                page.markup("</section>");
            }
            for (WorkerDirectory directory : files.directories()) {
                if (links == MAX_LINKS || over.getAsBoolean()) {
                    page.markup("<p>").text("There are more logs than this page can show. /api/v1/listLogs?topoId=TOPOLOGY-ID lists those"
                        + " of a topology.").markup("</p>");
                    break;
                }
                if (asked.reader().mayRead(directory)) {
                    page.markup("<section class=\"panel\"><h2>").text(directory.topology() + ", port " + directory.port()).markup("</h2>");
                    links += list(page, files.files(directory), file -> LOG + Html.encoded(file.name()), MAX_LINKS - links);
                    page.markup("</section>");
                }
            }
            page.write(asked.response(), 200);
            return null;
        });
    }

    /** {@code log} and {@code daemonlog}: the end of a log, or a part of it, or of that the lines with a text. */
    void log(Request asked, LogFile file) throws HttpException, IOException {
        int length = asked.number("length", PAGE_BYTES, 1, MAX_PAGE_BYTES);
        String grep = asked.query().getOrDefault("grep", "");
        limits.search(over -> {
            long size = file.size();
            long start = asked.offset("start", file.compressed() ? 0 : Math.max(0, size - length));
            // One more, to see whether there is more.
            byte[] part = part(file, start, length + 1, over);
            String address = (file.owner() == null ? DAEMON_LOG : LOG) + Html.encoded(file.name()) + "&length=" + length
                + (grep.isEmpty() ? "" : "&grep=" + Html.encoded(grep)) + "&start=";
            Html page = new Html(file.name());
            page.markup("<p class=\"row\">").link(address + 0, "First").link(address + Math.max(0, start - length), "Previous");
            if (part.length > length) {
                page.link(address + (start + length), "Next");
            }
            if (!file.compressed()) {
                page.link(address + Math.max(0, size - length), "Last");
            }
            String download = file.owner() == null ? "/api/v1/daemondownload?file=" : "/api/v1/download?file=";
            page.link(download + Html.encoded(file.name()), "Download").link("/", "All logs").markup("</p><p class=\"faint\">")
                .text("From byte " + start + (file.compressed() ? ", decompressed" : " of " + size)).markup("</p>");
            siblings(asked, file, page);
            String text = new String(part, 0, Math.min(part.length, length), StandardCharsets.UTF_8);
            page.log(grep.isEmpty() ? text : text.lines().filter(line -> line.contains(grep)).collect(Collectors.joining("\n")))
                .write(asked.response(), 200);
            return null;
        });
    }

    /** {@code dumps/TOPOLOGY/HOST:PORT}: what the worker's profiler has written. */
    void dumps(Request asked, WorkerDirectory directory) throws HttpException, IOException {
        limits.search(over -> {
            Html page = new Html("Dumps of " + directory.topology() + ", port " + directory.port());
            String worker = Html.encoded(directory.topology()) + "/" + Html.encoded(asked.segments().get(1)) + "/";
            List<LogFile> dumps = files.files(directory).stream().filter(LogPages::isDump).toList();
            list(page, dumps, file -> "/api/v1/dumps/" + worker + Html.encoded(file.fileName()), MAX_LINKS);
            page.markup("<h2>Flame graphs</h2>");
            list(page, dumps.stream().filter(file -> file.name().endsWith(".jfr")).toList(),
                file -> "/api/v1/flame-graph/" + worker + Html.encoded(file.fileName()), MAX_LINKS);
            page.write(asked.response(), 200);
            return null;
        });
    }

    /** Whether a profiler may have written the file. */
    static boolean isDump(LogFile file) {
        return DUMPS.contains(file.name().substring(file.name().lastIndexOf('.') + 1));
    }

    private void siblings(Request asked, LogFile file, Html page) throws IOException {
        if (file.owner() != null) {
            list(page, files.files(file.owner()), other -> LOG + Html.encoded(other.name()), MAX_SIBLINGS);
        } else if (asked.reader().mayRead(null)) {
            list(page, files.ofDaemons(), other -> DAEMON_LOG + Html.encoded(other.name()), MAX_SIBLINGS);
        }
    }

    /** Adds links to files, at most so many, and returns how many. */
    private static int list(Html page, List<LogFile> files, Function<LogFile, String> address, int most) {
        page.markup("<p>");
        files.stream().limit(most).forEach(file -> page.link(address.apply(file), file.fileName()));
        page.text(files.size() > most ? "…" : "").markup("</p>");
        return Math.min(files.size(), most);
    }

    private static byte[] part(LogFile file, long start, int length, BooleanSupplier over) throws HttpException, IOException {
        try (InputStream text = file.text()) {
            if (TextSearch.skip(text, start, over)) {
                return text.readNBytes(length);
            }
        }
        throw over.getAsBoolean() ? SearchLimits.tooLong()
            : HttpException.badRequest("start is " + start + ", which is behind the end of the log.");
    }
}
