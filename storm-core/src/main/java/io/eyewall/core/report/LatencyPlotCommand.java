package io.eyewall.core.report;

import io.eyewall.client.command.FileFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code storm latency-plot FILE.hlog... -o OUT.svg|OUT.png [--tag TAG,...] [--title TITLE]}: the percentile curves and the timelines of
 * interval logs in one picture, one series for every file and tag, and the same percentiles as a table on standard output.
 *
 * <p>A given tag also stands for all tags that begin with it and a slash, which become one series: {@code execute} for every task of every
 * component of a worker, {@code execute/split} for those of one component. If no tag is given and there are more series than colours, the
 * series of the way from the spout to each component are drawn.
 */
public final class LatencyPlotCommand {

    private static final String USAGE = "usage: storm latency-plot FILE.hlog... -o OUT.svg|OUT.png [--tag TAG,...] [--title TITLE]";

    /** The tags of a tuple's way from the spout, in a worker's log and in the files of a run; at most as many as there are colours. */
    private static final List<List<String>> WHOLE_WAYS = List.of(List.of("end-to-end", "complete", "due-to-executed", "e2e"),
        List.of("end-to-end", "complete", "e2e"), List.of("complete", "e2e"));

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
            List<LatencySeries> series = choose(arguments.words(), arguments.value("--tag").map(tags -> List.of(tags.split(",", -1))));
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
            err.println("storm latency-plot: " + FileFailure.explain(e).orElse(e.getMessage()));
            return 1;
        }
    }

    /** The tags to draw: the given ones, or all, or, if these are too many, those of the way to each component. */
    private List<LatencySeries> choose(List<String> files, Optional<List<String>> wantedTags) throws IOException {
        Set<String> tags = new LinkedHashSet<>();
        Set<String> warnings = new LinkedHashSet<>();
        List<LatencySeries> found = read(files, wantedTags, tags, warnings);
        List<LatencySeries> series = found;
        for (List<String> points : WHOLE_WAYS) {
            List<String> ways = points.stream().flatMap(point -> components(tags, point)).distinct().toList();
            if (series.size() > LatencyPlot.MAX_SERIES && wantedTags.isEmpty() && !ways.isEmpty()) {
                series = read(files, Optional.of(ways), tags, warnings);
            }
        }
        warnings.forEach(warning -> err.println("storm latency-plot: " + warning));
        String tooMany = found.size() + " series, of which a reader can distinguish " + LatencyPlot.MAX_SERIES + "; ";
        if (series.size() > LatencyPlot.MAX_SERIES) {
            throw new IllegalArgumentException(tooMany + "give fewer files, or choose among these with --tag: " + points(tags));
        }
        if (series.size() < found.size()) {
            err.println("storm latency-plot: " + tooMany + "the way to each component is drawn; choose others with --tag: "
                + points(tags));
        }
        return series;
    }

    /** The prefixes, point and component, of the tags that belong to a point. */
    private static Stream<String> components(Set<String> tags, String point) {
        return tags.stream().filter(tag -> isOf(tag, point))
            .map(tag -> Stream.of(tag.split("/", -1)).limit(2).collect(Collectors.joining("/")));
    }

    private static String points(Set<String> tags) {
        return tags.stream().map(tag -> tag.split("/", -1)[0]).distinct().collect(Collectors.joining(", "));
    }

    /** All series of all files. Their tags and warnings are added to the known ones. */
    private static List<LatencySeries> read(List<String> files, Optional<List<String>> wantedTags, Set<String> tags, Set<String> warnings)
            throws IOException {
        List<LatencySeries> series = new ArrayList<>();
        for (String file : files) {
            if (Files.isDirectory(Path.of(file))) {
                throw new IOException(file + ": is a directory; name the .hlog files in it");
            }
            series.addAll(read(Path.of(file), seriesName(file, files), wantedTags, tags, warnings));
        }
        if (series.isEmpty()) {
            throw new BadFileException(Path.of(files.get(0)), (files.size() == 1 ? "" : "neither here nor in the other files: ")
                + "no latency with the tag " + String.join(" or ", wantedTags.orElseThrow()) + "; there are " + points(tags));
        }
        return series;
    }

    /** The series of one file that have wanted tags, in the order of the wanted tags; empty if there are none. */
    private static Collection<LatencySeries> read(Path file, String name, Optional<List<String>> wantedTags, Set<String> allTags,
            Set<String> warnings) throws IOException {
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
            throw new BadFileException(file, "no latency in it" + (reader.cutOff().isPresent() ? ", only a line that is cut off" : ""));
        }
        reader.cutOff().ifPresent(warnings::add);
        allTags.addAll(found);
        byTag.values().removeIf(series -> series.total().getTotalCount() == 0);
        return byTag.values();
    }

    /** The wanted tag that a tag belongs to, or null. */
    private static String wanted(String tag, Set<String> wantedTags) {
        return wantedTags.stream().filter(wanted -> isOf(tag, wanted)).findFirst().orElse(null);
    }

    private static boolean isOf(String tag, String wanted) {
        return tag.equals(wanted) || tag.startsWith(wanted + '/');
    }

    /** The file's name, or its path below the directory that all have in common where the names do not distinguish them. */
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
