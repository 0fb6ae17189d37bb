package io.eyewall.core.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code storm latency-plot FILE.hlog... -o OUT.svg|OUT.png [--tag TAG] [--title TITLE]}: the percentile curves and the timelines of
 * interval logs in one picture, one series for every file and tag, and the same percentiles as a table on standard output.
 */
public final class LatencyPlotCommand {

    private static final String USAGE = "usage: storm latency-plot FILE.hlog... -o OUT.svg|OUT.png [--tag TAG] [--title TITLE]";

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
            List<LatencySeries> series = new ArrayList<>();
            for (String file : arguments.words()) {
                series.addAll(read(Path.of(file), arguments.value("--tag").orElse(null), seriesName(file, arguments.words())));
            }
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
        } catch (NoSuchFileException e) {
            err.println("storm latency-plot: " + e.getFile() + ": no such file");
            return 1;
        } catch (IOException e) {
            err.println("storm latency-plot: " + e.getMessage());
            return 1;
        }
    }

    private List<LatencySeries> read(Path file, String wantedTag, String name) throws IOException {
        Map<String, LatencySeries> byTag = new LinkedHashMap<>();
        HlogReader reader = new HlogReader(file);
        reader.poll(interval -> {
            String tag = interval.getTag() == null ? "" : interval.getTag();
            if (interval.getTotalCount() > 0) {
                byTag.computeIfAbsent(tag, key -> new LatencySeries((name + ' ' + key).strip())).add(interval);
            }
        });
        reader.cutOff().ifPresent(warning -> err.println("storm latency-plot: " + warning));
        if (byTag.isEmpty()) {
            throw new BadFileException(file, "no latency in it");
        }
        if (wantedTag == null) {
            return List.copyOf(byTag.values());
        }
        if (!byTag.containsKey(wantedTag)) {
            throw new BadFileException(file, "no latency with the tag " + wantedTag + ", but " + String.join(", ", byTag.keySet()));
        }
        return List.of(byTag.get(wantedTag));
    }

    /** The file's name, or its path where names do not tell them apart. */
    private static String seriesName(String file, List<String> files) {
        String fileName = String.valueOf(Path.of(file).getFileName());
        long sameName = files.stream().filter(other -> fileName.equals(String.valueOf(Path.of(other).getFileName()))).count();
        return (sameName > 1 ? file : fileName).replaceAll("\\.hlog$", "");
    }
}
