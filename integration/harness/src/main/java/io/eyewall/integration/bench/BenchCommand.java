package io.eyewall.integration.bench;

import io.eyewall.core.report.CommandArguments;
import io.eyewall.integration.bench.elastic.ElasticBench;
import io.eyewall.integration.bench.transport.TransportBench;
import io.eyewall.integration.cluster.ClusterException;
import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code storm bench}: compares upstream's installation with Eyewall's, or two configurations, and prints one table; progress goes to
 * standard error. Exit code 0, 1 if a run has no result, 2 if the command line is wrong.
 */
public final class BenchCommand {

    /** In which a topology that was restarted is back, and has run for a while. */
    private static final int LEAST_AFTER_CHANGE_SECONDS = 10;

    private final PrintStream out;
    private final PrintStream err;

    BenchCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** See {@link BenchOptions#USAGE}. */
    public static void main(String[] args) {
        System.exit(new BenchCommand(System.out, System.err).run(args));
    }

    int run(String... args) {
        try {
            CommandArguments arguments = BenchOptions.arguments(args);
            if (arguments.has("--list")) {
                Scenario.all().forEach(scenario -> out.println(scenario.name()));
                TransportBench.NAMES.forEach(out::println);
                ElasticBench.names().forEach(out::println);
                return 0;
            }
            if (arguments.words().size() == 1 && ElasticBench.names().contains(arguments.words().get(0))) {
                compareChanges(arguments);
                return 0;
            }
            if (arguments.words().size() == 1 && TransportBench.NAMES.contains(arguments.words().get(0))) {
                compareTransports(arguments);
                return 0;
            }
            compare(BenchOptions.parse(arguments));
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

    private void compare(BenchOptions options) throws IOException, InterruptedException {
        List<String> header = header(options);
        ResultFiles files = new ResultFiles(options.out(), options.sides());
        List<Comparison> comparisons = new ArrayList<>();
        try (ClusterRuns runs = new ClusterRuns(options, BenchClock.SYSTEM)) {
            Interleaving interleaving = new Interleaving(options.sides(), options.rounds(), runs, (scenario, side, round, result) -> {
                files.write(scenario, side, round, result);
                progress(options, scenario, side, round, result);
            });
            for (Scenario scenario : options.scenarios()) {
                files.begin(scenario);
                Comparison comparison = interleaving.compare(scenario);
                files.write(header, comparison);
                comparisons.add(comparison);
            }
        }
        ComparisonTable table = new ComparisonTable(header, options.sides(), comparisons);
        files.write(table);
        files.writeUtilisation(comparisons.stream().filter(comparison -> TailScenarios.isUtilised(comparison.scenario())).toList());
        table.text().forEach(out::println);
        out.println();
        out.println("Results: " + options.out());
    }

    private void compareTransports(CommandArguments arguments) throws IOException, InterruptedException {
        int rounds = (int) arguments.number("--rounds", 1, 3);
        long seconds = arguments.number("--seconds", 1, 2);
        StormHome upstream = new StormHome(Path.of(arguments.required("--upstream-home")));
        StormHome eyewall = new StormHome(Path.of(arguments.required("--eyewall-home")));
        List<String> table = new TransportBench(upstream, eyewall, err).run(arguments.words().get(0), rounds, seconds * 1_000);
        out.println(today() + ", " + Machine.describe());
        out.println("Median of " + rounds + " rounds, the sides in turns; in brackets the ratio to the first side, median [min - max].");
        table.forEach(out::println);
    }

    private void compareChanges(CommandArguments arguments) throws IOException, InterruptedException {
        int rounds = (int) arguments.number("--rounds", 1, 3);
        int seconds = (int) arguments.number("--seconds", LEAST_AFTER_CHANGE_SECONDS, 20);
        StormHome upstream = new StormHome(Path.of(arguments.required("--upstream-home")));
        StormHome eyewall = new StormHome(Path.of(arguments.required("--eyewall-home")));
        Path directory = Path.of(arguments.required("--out")).toAbsolutePath().normalize();
        List<String> header = List.of(today() + ", " + Machine.describe(),
            "Median [min - max] of " + rounds(rounds) + ", the sides in turns; the 10 s before the change compared with the " + seconds
                + " s after it. Latency from due to processed.");
        String name = arguments.words().get(0);
        try (ElasticBench bench = new ElasticBench(name, upstream, eyewall, directory, BenchClock.SYSTEM, err)) {
            List<String> table = bench.run(rounds, (int) arguments.number("--warmup", 0, 10), seconds, header);
            header.forEach(out::println);
            table.forEach(out::println);
        }
        out.println();
        out.println("Results: " + directory.resolve(name));
    }

    private void progress(BenchOptions options, Scenario scenario, Side side, int round, RunResult result) {
        String failed = result.counts().failed() >= 1 ? String.format(Locale.ROOT, ", %,.0f FAILED", result.counts().failed()) : "";
        String stolen = ComparisonTable.isDisturbed(result) ? String.format(Locale.ROOT, ", %.0f %% stolen", 100 * result.stolen()) : "";
        err.printf(Locale.ROOT, "%s round %d/%d %s %s: %s tuples/s, p50 %s, p99 %s%s%s%n", scenario.name(), round, options.rounds(),
            side.letter(), side.label(), Measure.THROUGHPUT.format(Measure.THROUGHPUT.of(result)),
            Measure.P50.format(Measure.P50.of(result)), Measure.P99.format(Measure.P99.of(result)), stolen, failed);
    }

    private static String rounds(int number) {
        return number + (number == 1 ? " round" : " rounds");
    }

    private static String today() {
        return InstantSource.system().instant().atOffset(ZoneOffset.UTC).toLocalDate().toString();
    }

    private static List<String> header(BenchOptions options) throws IOException {
        String from = options.sides().get(0).measuresFromEmit() ? "emitted" : "due";
        return List.of(today() + ", " + Machine.describe(),
            "Median [min - max] of " + rounds(options.rounds()) + ", the sides in turns; " + options.seconds() + " s each, after "
                + options.warmUpSeconds() + " s or more of warm-up, until the JIT compilers are quiet. "
                + "Latency from " + from + " to processed, tail/adaptive-timeout's from " + from + " to acked, at full speed of one in "
                + Scenario.MEASURED_EVERY + "; CPU of the worker JVMs.");
    }
}
