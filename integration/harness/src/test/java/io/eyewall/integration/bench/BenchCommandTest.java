package io.eyewall.integration.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.bench.elastic.ElasticBench;
import io.eyewall.integration.bench.henge.UtilityBench;
import io.eyewall.integration.bench.transport.TransportBench;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    @TempDir
    private Path directory;

    @Test
    void shouldListTheScenarios() {
        assertEquals(0, run("--list"));

        Stream<String> scenarios = Scenario.all().stream().map(Scenario::name);
        assertEquals(Stream.of(scenarios, TransportBench.NAMES.stream(), ElasticBench.names().stream(), UtilityBench.names().stream())
            .flatMap(names -> names).toList(),
            out.toString(UTF_8).lines().toList());
    }

    @Test
    void shouldExplainItselfWhenTheCommandLineIsWrong() throws IOException {
        assertUsage("storm bench: expected the name of one scenario, or all, or --list");
        assertUsage("storm bench: there is no scenario nothing; `storm bench --list` shows ", "nothing");
        assertUsage("storm bench: --eyewall-home is missing", "all");
        assertUsage("storm bench: --upstream-home is missing", "all", "--eyewall-home", "x");
        assertUsage("storm bench: --ab a.yaml: no such file", "all", "--ab", "a.yaml", "b.yaml");
        String present = Files.writeString(directory.resolve("present.yaml"), "topology.workers: 1\n").toString();
        assertUsage("storm bench: --ab c.yaml: no such file", "all", "--eyewall-home", "x", "--ab", present, present + ",c.yaml");
        String fromEmit = Files.writeString(directory.resolve("emit.yaml"), "eyewall.latency.from.emit: 1\n").toString();
        assertUsage("storm bench: eyewall.latency.from.emit has to be the same on all sides", "all", "--ab", present, fromEmit);
        String other = Files.writeString(Files.createDirectories(directory.resolve("other")).resolve("present.yaml"), "").toString();
        assertUsage("storm bench: --ab: the files " + present + "," + other + " need different names", "all", "--ab", present, other);
        assertUsage("storm bench: --report needs the pages to write", "--report");
        assertUsage("storm bench: --ab needs 2 values", "all", "--ab", "a.yaml");
        assertUsage("storm bench: --rounds 0: expected a whole number of at least 1", "all", "--eyewall-home", "x", "--upstream-home", "y",
            "--rounds", "0", "--out", "z");
    }

    @Test
    void shouldSayHowToMakeAMissingInstallation() throws IOException {
        assertEquals(1, run("all", "--eyewall-home", home("eyewall").toString(), "--upstream-home", directory.resolve("none").toString(),
            "--out", directory.toString()));

        assertTrue(err().startsWith("storm bench: --upstream-home: No Storm installation at " + directory.resolve("none")), err());
        assertTrue(err().contains("Build it with mvn package"), err());
        assertEquals(1, err().lines().count());
    }

    @Test
    void shouldSayHowToMakeMissingTopologies() throws IOException {
        Path eyewall = home("eyewall");

        assertEquals(1, run("all", "--eyewall-home", eyewall.toString(), "--upstream-home", home("upstream").toString(), "--out",
            directory.toString()));

        assertEquals("storm bench: no jar of the example topologies in " + eyewall.resolve("examples") + ": build it with mvn package\n",
            err());
    }

    @Test
    void shouldSayHowToMakeFlinkWhenItIsMissing() throws IOException {
        String[] homes = {"--eyewall-home", home("eyewall").toString(), "--upstream-home", home("upstream").toString(), "--out",
            directory.toString()};
        assertUsage("storm bench: --flink-home is missing: name an installation of Flink with the benchmark's jobs; in a checkout, "
            + "bin/storm bench makes one itself", Stream.concat(Stream.of("peers/chain"), Stream.of(homes)).toArray(String[]::new));
        assertEquals(1, run(Stream.concat(Stream.of("peers/chain", "--flink-home", directory.toString()), Stream.of(homes))
            .toArray(String[]::new)));
        assertTrue(err().endsWith("storm bench: --flink-home: No Flink with the benchmark's jobs at " + directory
            + ": there is no flink-runtime-*.jar in its lib/. In a checkout, mvn -f integration/peers package makes one.\n"), err());
    }

    @Test
    void shouldWriteThePagesThatAreToBeReported() throws IOException {
        Path page = Files.writeString(directory.resolve("page.md"), "no marker\n");

        assertEquals(0, run("--report", page.toString()), err());
        assertEquals("Up to date: " + page + "\n", out.toString(UTF_8));
        assertEquals(1, run("--report", directory.resolve("none.md").toString()));
        assertEquals("storm bench: " + directory.resolve("none.md") + ": no such page\n", err());
    }

    @Test
    void shouldSayWhatIsMissingToCompareTransports() throws IOException {
        assertUsage("storm bench: --upstream-home is missing", "transport/stream");
        assertEquals(1, run("transport/stream", "--eyewall-home", home("eyewall").toString(), "--upstream-home",
            directory.resolve("none").toString()));
        assertTrue(err().contains("No Storm installation at " + directory.resolve("none")), err());
    }

    @Test
    void shouldSayWhatIsMissingToCompareRebalances() throws IOException {
        Path eyewall = home("eyewall");
        assertUsage("storm bench: --upstream-home is missing", "elastic/rebalance");
        assertUsage("storm bench: --seconds 5: expected a whole number of at least 10", "elastic/rebalance", "--seconds", "5");
        assertEquals(1, run("elastic/rebalance", "--eyewall-home", eyewall.toString(), "--upstream-home", home("upstream").toString(),
            "--out", directory.toString()));
        assertEquals("storm bench: no jar of the example topologies in " + eyewall.resolve("examples") + ": build it with mvn package",
            err().lines().reduce((first, last) -> last).orElseThrow());
    }

    @Test
    void shouldSayWhatIsMissingToCompareUtilities() throws IOException {
        Path bad = Files.writeString(directory.resolve("bad.csv"), "minute,requests\n0,5\none,5\n");
        assertUsage("storm bench: --upstream-home is missing", "henge/diurnal");
        assertUsage("storm bench: --seconds 5: expected a whole number of at least 60", "henge/diurnal", "--seconds", "5");
        assertUsage("storm bench: --rates none.csv: no such file", "henge/diurnal", "--rates", "none.csv");
        assertUsage("storm bench: --seconds 100: expected a whole number of at least 120", "henge/new-tenant", "--seconds", "100");
        assertUsage("storm bench: --rates: the load of henge/spike is steady", "henge/spike", "--rates", bad.toString());
        assertUsage("storm bench: --rates: line 3 of " + bad + " is 'one,5', but must be a time and a value", "henge/diurnal", "--rates",
            bad.toString());
    }

    @Test
    void shouldSayWhichWorkersCannotBeSpreadOverHosts() throws IOException {
        String[] homes = {"--eyewall-home", home("eyewall").toString(), "--upstream-home", home("upstream").toString(), "--flink-home",
            directory.toString(), "--out", directory.toString()};
        assertUsage("storm bench: --hosts 1: expected a whole number of at least 2", with(homes, "chain/ack/2w", "--hosts", "1"));
        assertUsage("storm bench: --hosts 7: at most 6 hosts, a worker on each", with(homes, "chain/ack/2w", "--hosts", "7"));
        Map.of("peers/chain", "Flink runs on this machine only; give other sides with --ab",
            "transport/yahoo", "transport/yahoo needs a Redis server, which other hosts cannot reach; choose another scenario",
            "elastic/rebalance", "elastic/rebalance has hosts of its own, or none; leave the option out").forEach((scenario, cause) ->
                assertUsage("storm bench: --hosts: " + cause + "\n", with(homes, scenario, "--hosts", "2")));
    }

    private static String[] with(String[] options, String... more) {
        return Stream.concat(Stream.of(more), Stream.of(options)).toArray(String[]::new);
    }

    private void assertUsage(String message, String... args) {
        err.reset();
        assertEquals(2, run(args));
        assertTrue(err().startsWith(message), err());
        assertTrue(err().contains("\nusage: storm bench "), err());
    }

    private Path home(String name) throws IOException {
        for (String part : new String[] {"lib", "lib-worker", "conf", "log4j2"}) {
            Files.createDirectories(directory.resolve(name).resolve(part));
        }
        return directory.resolve(name);
    }

    private int run(String... args) {
        return new BenchCommand(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)).run(args);
    }

    private String err() {
        return err.toString(UTF_8);
    }
}
