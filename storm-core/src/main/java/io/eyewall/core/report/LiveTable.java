package io.eyewall.core.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Shows a running topology that measures: one line per second, and at the end a summary, an interval log and a plot, {@code demo.svg}.
 *
 * <p>Arguments: {@code --dir MEASURE_DIR --seconds N --out DIR --name NAME [--rate N] [--against NAME] [--followed]}. The log has the name
 * of the run. If fewer tuples than that rate came in, summary and log say so. With the name of an earlier run, whose log is in the same
 * directory, summary and plot compare the two, and the summary repeats what that log says of its rate; it has no ratios if this run is
 * stopped. If another run follows, the plot is left to that one, unless this one is stopped. It ends N seconds after the first tuple, at
 * SIGINT or SIGTERM, or at the end of its standard input, whichever comes first. Exit code 0; 1 with one line on standard error if no tuple
 * arrived or a file is bad; 2 if the command line is wrong.
 */
public final class LiveTable {

    private static final long FIRST_TUPLE_TIMEOUT_MS = 300_000;
    private static final long POLL_MS = 200;
    private static final int HEADER_EVERY_LINES = 20;
    /** A run that reached less of its rate could not keep up. */
    private static final double KEPT_UP = 0.95;
    /** Begins the comment in the log of such a run. */
    private static final String OVERLOAD = "Overload: ";
    private static final String HEADER = String.format("%6s  %12s  %12s  %8s  %8s  %8s  %8s  %8s  %8s",
        "time", "tuples/s in", "tuples/s out", "p50", "p90", "p99", "p99.9", "max", "failed");

    private final Path measureDirectory;
    private final Path outDirectory;
    private final long seconds;
    /** Tuples per second; 0 for as many as the topology can process. */
    private final long ratePerSec;
    private final String name;
    private final Optional<String> against;
    private final boolean isFollowed;
    private final InstantSource clock;
    private final CountDownLatch stop;
    private final PrintStream out;

    /**
     * Parses the command line.
     *
     * @param stop ends the run when it reaches 0
     * @throws IllegalArgumentException if the command line is wrong
     */
    LiveTable(String[] args, InstantSource clock, CountDownLatch stop, PrintStream out) {
        CommandArguments arguments = new CommandArguments(args,
            Map.of("--dir", 1, "--seconds", 1, "--out", 1, "--name", 1, "--rate", 1, "--against", 1, "--followed", 0));
        this.measureDirectory = Path.of(arguments.required("--dir"));
        this.outDirectory = Path.of(arguments.required("--out"));
        arguments.required("--seconds");
        this.seconds = arguments.number("--seconds", 1, 0);
        this.ratePerSec = arguments.number("--rate", 0, 0);
        this.name = arguments.required("--name");
        this.against = arguments.value("--against");
        this.isFollowed = arguments.has("--followed");
        this.clock = clock;
        this.stop = stop;
        this.out = out;
    }

    /** See the class. */
    public static void main(String[] args) {
        CountDownLatch stop = new CountDownLatch(1);
        LiveTable table;
        try {
            table = new LiveTable(args, InstantSource.system(), stop, System.out);
        } catch (IllegalArgumentException e) {
            System.err.println("live table: " + e.getMessage());
            System.exit(2);
            return;
        }
        StopRequests requests = new StopRequests(stop);
        requests.watch(System.in);
        requests.end(table.run(System.err));
    }

    /** Shows the run until its end; returns the exit code. */
    int run(PrintStream err) {
        try {
            Files.createDirectories(outDirectory);
            return show();
        } catch (IOException e) {
            err.println("live table: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("live table: interrupted");
            return 1;
        }
    }

    private int show() throws IOException, InterruptedException {
        RunLatencies latencies = new RunLatencies(name);
        List<RunLatencies> runs = new ArrayList<>();
        if (against.isPresent()) {
            runs.add(RunLatencies.read(against.get(), log(against.get())));
        }
        runs.add(latencies);
        LiveRun run;
        try (PrintStream stream = new PrintStream(Files.newOutputStream(log(name)), true)) {
            HistogramLogWriter writer = new HistogramLogWriter(stream);
            writer.outputLogFormatVersion();
            writer.outputStartTime(clock.millis());
            writer.outputLegend();
            run = new LiveRun(new MeasureDirectory(measureDirectory), latencies, writer::outputIntervalHistogram);
            follow(run);
            if (isOverloaded(run)) {
                writer.outputComment(overload(run));
            }
        }
        if (run.hasBegun() && run.completedSeconds() == 0) {
            throw new IOException("stopped before the first second had passed");
        }
        if (!run.hasBegun() && stop.getCount() == 0) {
            throw new IOException("stopped before the first tuple arrived");
        }
        if (!run.hasBegun()) {
            throw new IOException("no tuple arrived at a sink that measures into " + measureDirectory
                + "; see the topology's worker logs, and whether it was submitted with eyewall.measure.dir");
        }
        summarize(run, runs);
        return 0;
    }

    private void follow(LiveRun run) throws IOException, InterruptedException {
        out.println("waiting for the first tuple ...");
        long deadlineMs = clock.millis() + FIRST_TUPLE_TIMEOUT_MS;
        boolean stopped = false;
        while (!stopped && run.completedSeconds() < seconds && (run.hasBegun() || clock.millis() < deadlineMs)) {
            stopped = stop.await(POLL_MS, TimeUnit.MILLISECONDS);
            run.advance(clock.millis(), seconds).forEach(this::show);
        }
    }

    private void show(LiveRun.Second second) {
        if (second.number() % HEADER_EVERY_LINES == 1) {
            out.println(HEADER);
        }
        Histogram latencies = second.endToEnd();
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%4d s  %,12.0f  %,12.0f",
            second.number(), second.counts().emitted(), second.counts().received()));
        for (long latencyNs : PercentileTable.columns(latencies)) {
            line.append(String.format("  %8s", latencies.getTotalCount() == 0 ? "-" : HumanTime.of(latencyNs)));
        }
        out.println(line.append(String.format(Locale.ROOT, "  %,8.0f", second.counts().failed())));
        out.flush();
    }

    private void summarize(LiveRun run, List<RunLatencies> runs) throws IOException {
        String warmUp = run.isWarm()
            ? "without the first " + RunLatencies.WARM_UP_SECONDS + " s of warm-up"
            : "warm-up included, the run was short";
        Counts counts = run.summaryCounts();
        out.println();
        out.printf(Locale.ROOT, "%s: %d s, %s%n", name, run.summarySeconds(), warmUp);
        out.printf(Locale.ROOT, "tuples/s in %,.0f, out %,.0f; %,.0f failed of %,.0f%n", counts.emitted() / run.summarySeconds(),
            counts.received() / run.summarySeconds(), counts.failed(), counts.emitted());
        boolean wasStopped = run.completedSeconds() < seconds;
        boolean isShorter = wasStopped && against.isPresent();
        PercentileTable table = new PercentileTable();
        List<LatencySeries> shown = new ArrayList<>();
        for (String tag : List.of(MeasureDirectory.END_TO_END, MeasureDirectory.COMPLETE)) {
            List<LatencySeries> series = runs.stream().flatMap(each -> each.of(tag).stream()).toList();
            series.forEach(each -> table.add(each.name(), each.total()));
            if (series.size() == 2 && !isShorter) {
                table.addRatio(series.get(0).total(), series.get(1).total());
            }
            shown.addAll(series);
        }
        table.lines().forEach(out::println);
        String stopped = String.format(Locale.ROOT, "%s was stopped after %d of %d s", name, run.completedSeconds(), seconds);
        if (isShorter) {
            out.println(stopped + ". There are no ratios, since the two runs are not equally long.");
        }
        if (against.isPresent()) {
            showOverload(against.get());
        }
        showOverload(name);
        out.println("Histograms: " + log(name));
        if (!isFollowed || wasStopped) {
            Path picture = outDirectory.resolve("demo.svg");
            new LatencyPlot("Latency (" + (isShorter ? stopped : warmUp) + ")", shown).write(picture);
            out.println("Plot:       " + picture);
        }
    }

    private boolean isOverloaded(LiveRun run) {
        return run.completedSeconds() > 0 && run.summaryCounts().emitted() / run.summarySeconds() < KEPT_UP * ratePerSec;
    }

    private String overload(LiveRun run) {
        return String.format(Locale.ROOT, "%s%s got %,.0f tuples/s, fewer than the %,d that were due: the machine is busy, or the rate is"
            + " too high for it. Its latencies are those of an overload; try a lower --rate.",
            OVERLOAD, name, run.summaryCounts().emitted() / run.summarySeconds(), ratePerSec);
    }

    /** Shows what the log of a run says of an overload. */
    private void showOverload(String run) throws IOException {
        for (String line : Files.readAllLines(log(run))) {
            if (line.startsWith("#" + OVERLOAD)) {
                out.println(line.substring(1));
            }
        }
    }

    private Path log(String run) {
        return outDirectory.resolve(run + ".hlog");
    }
}
