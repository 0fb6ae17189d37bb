package io.eyewall.integration.bench.henge;

import io.eyewall.core.report.CommandArguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the command line says of a benchmark of service levels.
 *
 * @param scenario which of them, with the load that the user has set
 * @param rounds how often each side is measured
 * @param warmUpSeconds how long the topologies run before the seconds that count
 * @param seconds how long a run takes
 */
public record UtilityOptions(UtilityScenario scenario, int rounds, int warmUpSeconds, int seconds) {

    /**
     * Takes the command line apart.
     *
     * @param name one of {@link UtilityBench#names}
     * @throws IllegalArgumentException if an argument is wrong, with a line for the user
     */
    public static UtilityOptions parse(String name, CommandArguments arguments) throws IOException {
        UtilityScenario scenario = UtilityScenario.all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
        UtilityScenario.Tenants tenants = scenario.tenants().withRate((int) arguments.number("--rate", 1, scenario.tenants().ratePerSec()));
        List<Path> traces = arguments.value("--rates").stream().flatMap(files -> Stream.of(files.split(",", -1))).map(Path::of).toList();
        if (!traces.isEmpty()) {
            if (!(tenants.load() instanceof UtilityScenario.Days)) {
                throw new IllegalArgumentException("--rates: the load of " + name + " is steady; --rate sets it, and henge/diurnal has"
                    + " traces");
            }
            requireTraces(traces);
            tenants = tenants.withLoad(new UtilityScenario.Days(traces));
        }
        return new UtilityOptions(scenario.with(tenants), (int) arguments.number("--rounds", 1, 1),
            (int) arguments.number("--warmup", 0, scenario.span().warmUpSeconds()),
            (int) arguments.number("--seconds", scenario.span().leastSeconds(), scenario.span().seconds()));
    }

    /** Checks traces, before anything is started. */
    private static void requireTraces(List<Path> traces) throws IOException {
        for (Path trace : traces) {
            if (!Files.isReadable(trace)) {
                throw new IllegalArgumentException("--rates " + trace + ": no such file");
            }
            DiurnalRates.read(trace, 1);
        }
    }
}
