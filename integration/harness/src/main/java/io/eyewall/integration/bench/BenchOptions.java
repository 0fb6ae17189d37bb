package io.eyewall.integration.bench;

import static java.util.Map.entry;

import io.eyewall.core.report.CommandArguments;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The options of a benchmark: the sides to compare, how often and for how long.
 *
 * @param scenarios one or more
 * @param sides side A, and the sides that are compared with it
 * @param rounds how often each side of each scenario is measured
 * @param seconds how long each measurement takes
 * @param warmUpSeconds how long a topology runs at least before its measurement; longer while its code is being compiled
 * @param hosts how many hosts the workers are spread over, network namespaces of this machine; 0 for this machine itself
 * @param homes the installations' directories, as given
 * @param commit the commit from which Eyewall's installation was built, if it is known
 * @param out the directory of the results and of the clusters' state
 */
record BenchOptions(List<Scenario> scenarios, List<Side> sides, int rounds, int seconds, int warmUpSeconds, int hosts,
    Map<Side.Installation, Path> homes, Optional<String> commit, Path out) {

    static final String USAGE = "usage: storm bench SCENARIO|all|--list [--ab CONFIG_A CONFIG_B[,CONFIG_C...]] [--rounds N]"
        + " [--seconds N] [--warmup N] [--rate N] [--rates FILE[,FILE...]] [--hosts N] [--eyewall-home DIR] [--upstream-home DIR]"
        + " [--flink-home DIR] [--commit NAME] [--out DIR]\n"
        + "       storm bench --report PAGE...";

    private static final int MAX_HOSTS = 6;

    private static final String UPSTREAM_MISSING =
        "--upstream-home is missing: name an installation of upstream Storm; mvn package makes one in integration/upstream/target";
    private static final String FLINK_MISSING = "--flink-home is missing: name an installation of Flink with the benchmark's jobs; in a"
        + " checkout, bin/storm bench makes one itself, or mvn -f integration/peers package in integration/peers/target";
    /** How many values each option has. */
    private static final Map<String, Integer> OPTIONS = Map.ofEntries(entry("--list", 0), entry("--report", 0), entry("--ab", 2),
        entry("--rounds", 1), entry("--seconds", 1), entry("--warmup", 1), entry("--rate", 1), entry("--rates", 1),
        entry("--hosts", 1), entry("--eyewall-home", 1), entry("--upstream-home", 1), entry("--flink-home", 1),
        entry("--commit", 1), entry("--out", 1));

    /**
     * Takes the command line apart.
     *
     * @throws IllegalArgumentException if it is wrong, with a line for the user
     */
    static BenchOptions parse(CommandArguments arguments) throws IOException {
        if (arguments.words().size() != 1) {
            throw new IllegalArgumentException("expected the name of one scenario, or all, or --list");
        }
        List<Scenario> scenarios = Scenario.named(arguments.words().get(0));
        if (arguments.has("--rate")) {
            long ratePerSec = arguments.number("--rate", 0, 0);
            scenarios = scenarios.stream().map(scenario -> scenario.withRate(ratePerSec)).toList();
        }
        List<Side> sides = arguments.has("--ab") ? read(arguments.values("--ab").orElseThrow()) : defaults(scenarios);
        Map<Side.Installation, Path> homes = new EnumMap<>(Side.Installation.class);
        // The jar of the topologies is in Eyewall's installation, even if the topologies run on another one.
        homes.put(Side.Installation.EYEWALL, Path.of(arguments.required("--eyewall-home")));
        if (sides.stream().anyMatch(side -> side.installation() == Side.Installation.UPSTREAM)) {
            String upstream = arguments.value("--upstream-home").orElseThrow(() -> new IllegalArgumentException(UPSTREAM_MISSING));
            homes.put(Side.Installation.UPSTREAM, Path.of(upstream));
        }
        if (sides.stream().anyMatch(side -> side.installation() == Side.Installation.FLINK)) {
            String flink = arguments.value("--flink-home").orElseThrow(() -> new IllegalArgumentException(FLINK_MISSING));
            homes.put(Side.Installation.FLINK, Path.of(flink));
        }
        int hosts = hosts(arguments, scenarios, sides);
        if (hosts > 0) {
            scenarios = scenarios.stream().map(scenario -> scenario.withName(scenario.name() + "/" + hosts + "-hosts")).toList();
        }
        return new BenchOptions(scenarios, sides, (int) arguments.number("--rounds", 1, 3), (int) arguments.number("--seconds", 1, 5),
            (int) arguments.number("--warmup", 2, 4), hosts, homes, arguments.value("--commit"),
            Path.of(arguments.required("--out")).toAbsolutePath().normalize());
    }

    static CommandArguments arguments(String[] args) {
        return new CommandArguments(args, OPTIONS);
    }

    private static int hosts(CommandArguments arguments, List<Scenario> scenarios, List<Side> sides) {
        int hosts = (int) arguments.number("--hosts", 2, 0);
        if (hosts > MAX_HOSTS) {
            throw new IllegalArgumentException("--hosts " + hosts + ": at most " + MAX_HOSTS + " hosts, a worker on each");
        }
        if (hosts > 0 && sides.stream().anyMatch(side -> side.installation() == Side.Installation.FLINK)) {
            throw new IllegalArgumentException("--hosts: Flink runs on this machine only; give other sides with --ab");
        }
        scenarios.stream().filter(Scenario::usesRedis).findFirst().filter(scenario -> hosts > 0).ifPresent(scenario -> {
            throw new IllegalArgumentException("--hosts: " + scenario.name() + " needs a Redis server, which other hosts cannot reach;"
                + " choose another scenario");
        });
        return hosts;
    }

    private static List<Side> defaults(List<Scenario> scenarios) {
        if (scenarios.stream().allMatch(StreamManagerScenarios::isOne)) {
            return StreamManagerScenarios.sides();
        }
        List<Side> sides = List.of(Side.of('A', Side.Installation.UPSTREAM), Side.of('B', Side.Installation.EYEWALL));
        return scenarios.stream().allMatch(PeerScenarios::isOne)
            ? Stream.concat(sides.stream(), Stream.of(Side.of('C', Side.Installation.FLINK))).toList() : sides;
    }

    private static List<Side> read(List<String> files) throws IOException {
        try {
            List<Side> sides = new ArrayList<>(List.of(Side.read('A', Path.of(files.get(0)))));
            for (String file : files.get(1).split(",", -1)) {
                sides.add(Side.read((char) ('A' + sides.size()), Path.of(file)));
            }
            if (sides.stream().map(Side::measuresFromEmit).distinct().count() > 1) {
                throw new IllegalArgumentException("eyewall.latency.from.emit has to be the same on all sides: latencies from different"
                    + " moments cannot be compared");
            }
            if (sides.stream().map(Side::label).distinct().count() < sides.size()) {
                throw new IllegalArgumentException("--ab: the files " + files.get(0) + "," + files.get(1) + " need different names, since"
                    + " the table names each side after its file");
            }
            return List.copyOf(sides);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("--ab " + e.getFile() + ": no such file", e);
        }
    }
}
