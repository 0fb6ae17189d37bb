package io.eyewall.web.logs;

import io.eyewall.web.api.HttpException;
import io.eyewall.web.api.JsonResponses;
import io.eyewall.web.api.Parameters;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code search} and {@code deepSearch}: JSON with upstream's names. A search that takes too long returns what it has found, and where to
 * go on: {@code nextByteOffset}. Safe for any thread.
 */
final class LogSearches {

    private static final Logger LOG = LoggerFactory.getLogger(LogSearches.class);
    private static final Pattern WORKER_LOG = Pattern.compile("worker\\.log(\\.\\d+)?(\\.gz)?");
    private static final int MAX_WANTED_BYTES = 1_024;
    private static final int DEFAULT_MATCHES = 10;
    private static final int MAX_MATCHES = 1_024;
    /** What the matches of one response may have in memory, about: the heap of the logviewer is small, and several search at a time. */
    private static final int MAX_CHARS = 1 << 20;
    private static final int CHARS_OF_A_MATCH = 600;
    private static final int MAX_FILES = 10_000;
    private static final String ALL = "*";

    private final LogFiles files;
    private final SearchLimits limits;

    LogSearches(LogFiles files, SearchLimits limits) {
        this.files = files;
        this.limits = limits;
    }

    /** Searches one log, and writes what was found. */
    void one(Request asked, LogFile file) throws HttpException, IOException {
        limits.search(over -> {
            write(asked, one(asked, file, search(asked, over)));
            return null;
        });
    }

    private static Map<String, Object> one(Request asked, LogFile file, TextSearch search) throws HttpException, IOException {
        long start = asked.offset("start-byte-offset", 0);
        TextSearch.Found found = in(file, search, start);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("isDaemon", file.owner() == null ? "yes" : "no");
        json.put("searchString", search.wanted());
        json.put("startByteOffset", start);
        json.put("matches", found.matches().stream().map(match -> match(asked, search, file, match)).toList());
        if (found.next() >= 0) {
            json.put("nextByteOffset", found.next());
        }
        return json;
    }

    /** Searches the logs of a topology's workers, and writes an object for one port, a list with one for each worker for all. */
    void deep(Request asked) throws HttpException, IOException {
        limits.search(over -> {
            write(asked, deep(asked, search(asked, over)));
            return null;
        });
    }

    private Object deep(Request asked, TextSearch search) throws HttpException, IOException {
        String port = asked.query().getOrDefault("port", ALL);
        boolean archived = asked.flag("search-archived");
        int firstFile = asked.number("start-file-offset", 0, 0, MAX_FILES);
        long start = asked.offset("start-byte-offset", 0);
        String topology = asked.segments().get(0);
        if (!port.equals(ALL) && !port.isEmpty()) {
            WorkerDirectory directory = files.directory(topology, port);
            asked.reader().require(directory);
            return inWorker(asked, search, logs(directory, archived), firstFile, start);
        }
        List<WorkerDirectory> readable = new ArrayList<>();
        List<WorkerDirectory> all = files.directories(topology);
        all.stream().filter(asked.reader()::mayRead).forEach(readable::add);
        if (readable.isEmpty() && !all.isEmpty()) {
            asked.reader().require(all.get(0));
        }
        List<Map<String, Object>> found = new ArrayList<>();
        int left = most(search.wanted());
        for (WorkerDirectory directory : readable) {
            boolean full = left == 0;
            TextSearch rest = new TextSearch(search.wanted(), full ? 1 : Math.min(search.most(), left), full ? () -> true : search.over());
            Map<String, Object> ofWorker = inWorker(asked, rest, logs(directory, archived), 0, 0);
            left -= ((List<?>) ofWorker.get("matches")).size();
            found.add(ofWorker);
        }
        return found;
    }

    private Map<String, Object> inWorker(Request asked, TextSearch search, List<LogFile> logs, int firstFile, long start)
            throws IOException {
        List<Map<String, Object>> matches = new ArrayList<>();
        Map<String, Object> json = new LinkedHashMap<>();
        long next = -1;
        int file = firstFile;
        for (; file < logs.size(); file++) {
            LogFile log = logs.get(file);
            TextSearch rest = new TextSearch(search.wanted(), search.most() - matches.size(), search.over());
            TextSearch.Found found = in(log, rest, file == firstFile ? start : 0);
            for (TextSearch.Match match : found.matches()) {
                Map<String, Object> one = match(asked, search, log, match);
                one.put("fileName", log.name());
                one.put("port", log.owner().port());
                matches.add(one);
            }
            next = found.next();
            if (next >= 0) {
                break;
            }
        }
        json.put("fileOffset", Math.min(file, Math.max(0, logs.size() - 1)));
        json.put("searchString", search.wanted());
        json.put("matches", matches);
        if (next >= 0) {
            json.put("nextByteOffset", next);
        }
        return json;
    }

    private static TextSearch.Found in(LogFile file, TextSearch search, long start) throws IOException {
        try (InputStream text = file.text()) {
            return search.in(text, start);
        } catch (NoSuchFileException | ZipException | EOFException e) {
            LOG.debug("{} is being rolled, or is not what its name says", file.path(), e);
            return new TextSearch.Found(List.of(), -1);
        }
    }

    /** The worker's log and, if asked for, those before it: the newest first. */
    private List<LogFile> logs(WorkerDirectory directory, boolean archived) throws IOException {
        record Dated(LogFile file, long modifiedMs) {
        }
        List<Dated> logs = new ArrayList<>();
        for (LogFile file : files.files(directory)) {
            if (WORKER_LOG.matcher(file.fileName()).matches()) {
                try {
                    logs.add(new Dated(file, Files.getLastModifiedTime(file.path()).toMillis()));
                } catch (NoSuchFileException e) {
                    LOG.debug("{} was rolled while it was looked for", file.path(), e);
                }
            }
        }
        logs.sort(Comparator.comparingLong(Dated::modifiedMs).reversed().thenComparing(dated -> dated.file().name()));
        return logs.stream().limit(archived ? MAX_FILES : 1).map(Dated::file).toList();
    }

    private static TextSearch search(Request asked, BooleanSupplier over) throws HttpException {
        String wanted = asked.required("search-string", "TEXT");
        if (wanted.getBytes(StandardCharsets.UTF_8).length > MAX_WANTED_BYTES) {
            throw HttpException.badRequest("search-string is " + Parameters.shown(wanted) + ". Use at most " + MAX_WANTED_BYTES
                + " bytes.");
        }
        int asMany = asked.number("num-matches", DEFAULT_MATCHES, 1, MAX_MATCHES);
        return new TextSearch(wanted, Math.min(asMany, most(wanted)), over);
    }

    /** How many matches a response may have. */
    private static int most(String wanted) {
        return MAX_CHARS / (CHARS_OF_A_MATCH + wanted.length());
    }

    private static void write(Request asked, Object found) throws IOException {
        JsonResponses.write(asked.response(), HttpServletResponse.SC_OK, found, asked.callback());
    }

    private static Map<String, Object> match(Request asked, TextSearch search, LogFile file, TextSearch.Match match) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("byteOffset", match.offset());
        json.put("beforeString", match.before());
        json.put("afterString", match.after());
        json.put("matchString", search.wanted());
        json.put("logviewerURL", asked.servlet().getScheme() + "://" + asked.servlet().getServerName() + ":"
            + asked.servlet().getServerPort() + "/api/v1/" + (file.owner() == null ? "daemonlog" : "log") + "?file="
            + Html.encoded(file.name()) + "&start=" + Math.max(0, match.offset() - LogPages.PAGE_BYTES / 2) + "&length="
            + LogPages.PAGE_BYTES);
        return json;
    }
}
