package io.eyewall.integration.bench;

import io.eyewall.core.report.CommandArguments;
import io.eyewall.core.report.HumanTime;
import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Machine;
import io.eyewall.integration.bench.data.MeasurementFile;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.elastic.ElasticBench;
import io.eyewall.integration.bench.henge.UtilityBench;
import io.eyewall.integration.bench.henge.UtilityOptions;
import io.eyewall.integration.bench.page.MeasurementTable;
import io.eyewall.integration.bench.page.ReportPage;
import io.eyewall.integration.bench.transport.TransportBench;
import io.eyewall.integration.cluster.BenchClock;
import io.eyewall.integration.cluster.ClusterException;
import io.eyewall.integration.cluster.FlinkHome;
import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code storm bench}: compares upstream's installation with Eyewall's, or two configurations, prints one table and writes the figures
 * behind it to files; or makes the tables and plots of a page from such files. Progress goes to standard error. The exit code is 0, 1 if a
 * run has no result or a file is wrong, 2 if the command line is wrong.
 */
public final class BenchCommand {

    /** Long enough for a topology that was restarted to come back and to run for a while. */
    private static final int MIN_AFTER_CHANGE_SECONDS = 10;
    /** The stolen part of the cores' time from which on the progress of a run mentions it. */
    private static final double STOLEN_WORTH_A_WORD = 0.01;

    private static final String FLINK_NOTE = "Flink: exactly once, a checkpoint every second, object reuse, no chained operators, buffer"
        + " timeout 100 ms at full speed and 0 with a rate; the same with and without Storm's acks; CPU time of the TaskManagers.";

    private final PrintStream out;
    private final PrintStream err;

    BenchCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command; {@link BenchOptions#USAGE} has the arguments. */
    public static void main(String[] args) {
        System.exit(new BenchCommand(System.out, System.err).run(args));
    }

    int run(String... args) {
        try {
            CommandArguments arguments = BenchOptions.arguments(args);
            String name = arguments.words().size() == 1 ? arguments.words().get(0) : "";
            requireHostsOnlyFor(name, arguments);
            if (arguments.has("--list")) {
                Scenario.all().forEach(scenario -> out.println(scenario.name()));
                TransportBench.NAMES.forEach(out::println);
                ElasticBench.names().forEach(out::println);
                UtilityBench.names().forEach(out::println);
            } else if (arguments.has("--report")) {
                report(arguments);
            } else if (ElasticBench.names().contains(name)) {
                compareChanges(name, arguments);
            } else if (UtilityBench.names().contains(name)) {
                compareUtilities(name, arguments);
            } else if (TransportBench.NAMES.contains(name)) {
                compareTransports(name, arguments);
            } else {
                compare(BenchOptions.parse(arguments));
            }
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("storm bench: " + e.getMessage());
            err.println(BenchOptions.USAGE);
            return 2;
        } catch (BenchException | ClusterException | UncheckedIOException | IOException e) {
            err.println("storm bench: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("storm bench: interrupted");
            return 1;
        }
    }

    private static void requireHostsOnlyFor(String name, CommandArguments arguments) {
        boolean placesWorkersItself = ElasticBench.names().contains(name) || UtilityBench.names().contains(name)
            || TransportBench.NAMES.contains(name);
        if (arguments.has("--hosts") && placesWorkersItself) {
            throw new IllegalArgumentException("--hosts: " + name + " has hosts of its own, or none; leave the option out");
        }
    }

    private void compare(BenchOptions options) throws IOException, InterruptedException {
        List<String> notes = notes(options);
        List<Comparison> comparisons = new ArrayList<>();
        try (ClusterRuns runs = new ClusterRuns(options, BenchClock.SYSTEM)) {
            ResultFiles files = new ResultFiles(options.out(), options.sides(),
                Circumstances.of(options.rounds(), options.seconds(), today(), Machine.describe()), versions(options));
            Interleaving interleaving = new Interleaving(options.sides(), options.rounds(), runs, (scenario, side, round, result) -> {
                files.write(scenario, side, round, result);
                progress(options, scenario, side, round, result);
            });
            for (Scenario scenario : options.scenarios()) {
                files.begin(scenario);
                Comparison comparison = interleaving.compare(scenario);
                files.write(notes, comparison);
                comparisons.add(comparison);
            }
            files.writeUtilisation(comparisons.stream().filter(comparison -> TailScenarios.isUtilised(comparison.scenario())).toList());
            print(notes, files.measurements(), options.out());
        }
    }

    private void compareTransports(String name, CommandArguments arguments) throws IOException, InterruptedException {
        int rounds = (int) arguments.number("--rounds", 1, 3);
        int seconds = (int) arguments.number("--seconds", 1, 2);
        StormHome upstream = new StormHome(Path.of(arguments.required("--upstream-home")));
        StormHome eyewall = new StormHome(Path.of(arguments.required("--eyewall-home")));
        Path directory = out(arguments);
        Circumstances circumstances = Circumstances.of(rounds, seconds, today(), Machine.describe());
        TransportBench bench = new TransportBench(upstream, eyewall, version(eyewall, arguments.value("--commit")), BenchClock.SYSTEM, err);
        Measurements measured = bench.run(name, rounds, seconds * 1_000L, circumstances);
        MeasurementTable table = new MeasurementTable(measured, false);
        new MeasurementFile(Files.createDirectories(directory.resolve(name)).resolve(MeasurementFile.NAME)).write(measured);
        Files.write(directory.resolve(name).resolve("table.md"), table.markdown());
        print(List.of(), measured, directory.resolve(name));
    }

    private void compareChanges(String name, CommandArguments arguments) throws IOException, InterruptedException {
        int rounds = (int) arguments.number("--rounds", 1, 3);
        int seconds = (int) arguments.number("--seconds", MIN_AFTER_CHANGE_SECONDS, 20);
        int warmUpSeconds = (int) arguments.number("--warmup", 0, 10);
        StormHome upstream = new StormHome(Path.of(arguments.required("--upstream-home")));
        StormHome eyewall = new StormHome(Path.of(arguments.required("--eyewall-home")));
        Path directory = out(arguments);
        Circumstances circumstances = Circumstances.of(rounds, seconds, today(), Machine.describe());
        try (ElasticBench bench = new ElasticBench(name, upstream, eyewall, directory, BenchClock.SYSTEM, err)) {
            String version = version(eyewall, arguments.value("--commit"));
            Measurements measured = bench.run(rounds, warmUpSeconds, seconds, circumstances, version);
            print(List.of(ElasticBench.notes(seconds)), measured, directory.resolve(name));
        }
    }

    private void compareUtilities(String name, CommandArguments arguments) throws IOException, InterruptedException {
        UtilityOptions options = UtilityOptions.parse(name, arguments);
        StormHome upstream = new StormHome(Path.of(arguments.required("--upstream-home")));
        StormHome eyewall = new StormHome(Path.of(arguments.required("--eyewall-home")));
        Path directory = out(arguments);
        Circumstances circumstances = Circumstances.of(options.rounds(), options.seconds(), today(), Machine.describe());
        try (UtilityBench bench = new UtilityBench(options, upstream, eyewall, directory, BenchClock.SYSTEM, err)) {
            Measurements measured = bench.run(circumstances, version(eyewall, arguments.value("--commit")));
            print(List.of(bench.notes()), measured, directory.resolve(name));
        }
    }

    private void report(CommandArguments arguments) throws IOException {
        if (arguments.words().isEmpty()) {
            throw new IllegalArgumentException("--report needs the pages to write, as in: storm bench --report docs/benchmarks.md");
        }
        for (String page : arguments.words()) {
            List<Path> changed = new ReportPage(Path.of(page)).update();
            changed.forEach(file -> out.println("Written: " + file));
            if (changed.isEmpty()) {
                out.println("Up to date: " + page);
            }
        }
    }

    private void print(List<String> notes, Measurements measured, Path results) {
        notes.forEach(out::println);
        new MeasurementTable(measured, true).text().forEach(out::println);
        out.println();
        out.println("Results: " + results + " (each scenario's figures are in its " + MeasurementFile.NAME + ")");
    }

    private void progress(BenchOptions options, Scenario scenario, Side side, int round, RunResult result) {
        String failed = result.counts().failed() >= 1 ? String.format(Locale.ROOT, ", %,.0f FAILED", result.counts().failed()) : "";
        String stolen = result.stolen() >= STOLEN_WORTH_A_WORD ? String.format(Locale.ROOT, ", %.0f %% stolen", 100 * result.stolen()) : "";
        err.printf(Locale.ROOT, "%s round %d/%d %s %s: %,.0f tuples/s, p50 %s, p99 %s%s%s%n", scenario.name(), round, options.rounds(),
            side.letter(), side.label(), RunFigure.THROUGHPUT.of(result), HumanTime.of(Math.round(RunFigure.P50.of(result))),
            HumanTime.of(Math.round(RunFigure.P99.of(result))), stolen, failed);
    }

    private static Path out(CommandArguments arguments) {
        return Path.of(arguments.required("--out")).toAbsolutePath().normalize();
    }

    private static Map<Side.Installation, String> versions(BenchOptions options) throws IOException {
        Map<Side.Installation, String> versions = new EnumMap<>(Side.Installation.class);
        for (Map.Entry<Side.Installation, Path> home : options.homes().entrySet()) {
            versions.put(home.getKey(), switch (home.getKey()) {
                case UPSTREAM -> version(new StormHome(home.getValue()), Optional.empty());
                case EYEWALL -> version(new StormHome(home.getValue()), options.commit());
                case FLINK -> new FlinkHome(home.getValue()).version();
            });
        }
        return versions;
    }

    private static String version(StormHome home, Optional<String> commit) throws IOException {
        String version = home.version();
        return commit.map(name -> version + "+" + name).orElse(version);
    }

    private static String today() {
        return InstantSource.system().instant().atOffset(ZoneOffset.UTC).toLocalDate().toString();
    }

    private static List<String> notes(BenchOptions options) {
        String from = options.sides().get(0).measuresFromEmit() ? "emitted" : "due";
        String note = "Latency from " + from + " to processed, tail/adaptive-timeout's from " + from + " to acked, at full speed of one"
            + " message in " + Scenario.MEASURED_EVERY + "; CPU time of the worker JVMs; the sides in turns, after "
            + options.warmUpSeconds() + " s or more of warm-up, until the JIT compilers are quiet.";
        boolean withFlink = options.homes().containsKey(Side.Installation.FLINK);
        return withFlink ? List.of(note, FLINK_NOTE) : List.of(note);
    }
}
