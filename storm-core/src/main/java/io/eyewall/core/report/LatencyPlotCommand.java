package io.eyewall.core.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code storm latency-plot FILE.hlog... -o OUT.svg|OUT.png [--tag TAG,...] [--title TITLE]}: the percentile curves and the timelines of
 * interval logs in one picture, one series for every file and tag, and the same percentiles as a table on standard output.
 *
 * <p>A tag that is asked for stands for all that begin with it and a slash, too, which become one series: {@code execute} for every task
 * of every component of a worker, {@code execute/split} for those of one component.
 */
public final class LatencyPlotCommand {

    private static final String USAGE = "usage: storm latency-plot FILE.hlog... -o OUT.svg|OUT.png [--tag TAG,...] [--title TITLE]";

    private final PrintStream out;
    private final PrintStream err;

    LatencyPlotCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Ends the JVM with 0, with 1 if a file cannot be read or written, or with 2 if the command line is wrong. */
    public static void main(String[] args) {
        System.exit(new LatencyPlotCommand(System.out, System.err).run(args));
    }

    int run(String... args) {
        try {
            CommandArguments arguments = new CommandArguments(args, Map.of("-o", 1, "--tag", 1, "--title", 1));
            if (arguments.words().isEmpty()) {
                throw new IllegalArgumentException("no FILE.hlog given");
            }
            PlotFile plotFile = new PlotFile(Path.of(arguments.required("-o")));
            List<LatencySeries> series = read(arguments.words(), arguments.value("--tag").map(tags -> List.of(tags.split(",", -1))));
            if (series.size() > LatencyPlot.MAX_SERIES) {
                String names = String.join(", ", series.stream().map(LatencySeries::name).toList());
                throw new IllegalArgumentException(series.size() + " series, of which a reader can tell " + LatencyPlot.MAX_SERIES
                    + " apart; choose with --tag or give fewer files. Found: " + names);
            }
            LatencyPlot plot = new LatencyPlot(arguments.value("--title").orElse("Latency"), series);
            plot.write(plotFile);
            PercentileTable table = new PercentileTable();
            series.forEach(each -> table.add(each.name(), each.total()));
            table.lines().forEach(out::println);
            out.println("Plot: " + arguments.required("-o"));
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("storm latency-plot: " + e.getMessage());
            err.println(USAGE);
            return 2;
        } catch (IOException e) {
            err.println("storm latency-plot: " + cause(e));
            return 1;
        }
    }

    /** Some of the JDK's failures of files say in their class what is wrong, and nothing else. */
    private static String cause(IOException failure) {
        if (failure instanceof NoSuchFileException e) {
            return e.getFile() + ": no such file";
        }
        if (failure instanceof AccessDeniedException e) {
            return e.getFile() + ": permission denied";
        }
        if (failure instanceof FileAlreadyExistsException e) {
            return e.getFile() + ": is not a directory";
        }
        return failure.getMessage();
    }

    private List<LatencySeries> read(List<String> files, Optional<List<String>> wantedTags) throws IOException {
        List<LatencySeries> series = new ArrayList<>();
        Set<String> otherTags = new LinkedHashSet<>();
        for (String file : files) {
            if (Files.isDirectory(Path.of(file))) {
                throw new IOException(file + ": is a directory; name the .hlog files in it");
            }
            series.addAll(read(Path.of(file), seriesName(file, files), wantedTags, otherTags));
        }
        if (series.isEmpty()) {
            throw new BadFileException(Path.of(files.get(0)), (files.size() == 1 ? "" : "neither here nor in the other files: ")
                + "no latency with the tag " + String.join(" or ", wantedTags.orElseThrow()) + ", but " + String.join(", ", otherTags));
        }
        return series;
    }

    /** The series of one file, those of wanted tags in the order of these; none if there is none of these. */
    private Collection<LatencySeries> read(Path file, String name, Optional<List<String>> wantedTags, Set<String> otherTags)
            throws IOException {
        Map<String, LatencySeries> byTag = new LinkedHashMap<>();
        wantedTags.ifPresent(tags -> tags.forEach(tag -> byTag.put(tag, new LatencySeries(name + ' ' + tag))));
        Set<String> found = new LinkedHashSet<>();
        HlogReader reader = new HlogReader(file);
        reader.poll(interval -> {
            String tag = interval.getTag() == null ? "" : interval.getTag();
            if (interval.getTotalCount() > 0) {
                found.add(tag);
                String shown = wantedTags.isEmpty() ? tag : wanted(tag, byTag.keySet());
                if (shown != null) {
                    LatencySeries series = byTag.computeIfAbsent(shown, key -> new LatencySeries((name + ' ' + key).strip()));
                    series.add(interval);
                    series.widenClockError(reader.clockErrorNs(tag));
                }
            }
        });
        if (found.isEmpty()) {
            throw new BadFileException(file, "no latency in it" + (reader.cutOff().isPresent() ? " but a line that is cut off" : ""));
        }
        reader.cutOff().ifPresent(warning -> err.println("storm latency-plot: " + warning));
        otherTags.addAll(found);
        byTag.values().removeIf(series -> series.total().getTotalCount() == 0);
        return byTag.values();
    }

    /** The one of the wanted tags that the tag belongs to, or null. */
    private static String wanted(String tag, Set<String> wantedTags) {
        return wantedTags.stream().filter(wanted -> tag.equals(wanted) || tag.startsWith(wanted + '/')).findFirst().orElse(null);
    }

    /** The file's name, or its path below the directory that all have in common where names do not tell them apart. */
    private static String seriesName(String file, List<String> files) {
        Path path = Path.of(file);
        boolean onlyOne = files.stream().filter(other -> path.getFileName().equals(Path.of(other).getFileName())).count() == 1;
        Path name = path.getFileName();
        if (!onlyOne) {
            Path common = path.toAbsolutePath().normalize().getParent();
            while (!inAll(common, files)) {
                common = common.getParent();
            }
            name = common.relativize(path.toAbsolutePath().normalize());
        }
        return name.toString().replaceAll("\\.hlog$", "");
    }

    private static boolean inAll(Path directory, List<String> files) {
        return files.stream().allMatch(file -> Path.of(file).toAbsolutePath().normalize().startsWith(directory));
    }
}
