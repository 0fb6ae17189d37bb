package io.eyewall.tail.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.eyewall.core.watch.WorkerAddress;
import io.eyewall.tail.recording.LatencyRecordingConfiguration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.storm.generated.NotAliveException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LatencyCommandTest {

    private static final int PORT_OFFSET = 1;
    private static final String EXECUTE = "execute/relay/2/source:default";

    private final Map<String, Object> conf = new HashMap<>(Map.of(
        LatencyRecordingConfiguration.RECORDING, "all", LatencyRecordingConfiguration.ENDPOINT_PORT_OFFSET, PORT_OFFSET));
    private final SortedSet<WorkerAddress> workers = new TreeSet<>();
    private final List<HttpServer> servers = new ArrayList<>();
    private final List<Long> pauses = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private ComponentPlan plan = new ComponentPlan(Map.of("source", Set.of(), "relay", Set.of("source")));

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    @Test
    void shouldShowWhatAllWorkersRecordedTogether() throws Exception {
        worker(new EndpointAnswer().hop(EXECUTE, 10_000, 20_000));
        worker(new EndpointAnswer().hop("execute/relay/3/source:default", 30_000));

        assertEquals(0, run("chain"));

        assertEquals(EndpointAnswer.TOPOLOGY_ID + ": 2 of 2 workers, every message, since they started", lines(out).get(0));
        assertTrue(lines(out).get(2).matches("execute +source -> relay +3\\* +20.0 us .*"), lines(out).get(2));
        assertEquals("", err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldShowWhatWasRecordedWithinTheInterval() throws Exception {
        worker(new EndpointAnswer().hop(EXECUTE, 10_000, 10_000),
            new EndpointAnswer(EndpointAnswer.TOPOLOGY_ID, 7_210).hop(EXECUTE, 10_000, 10_000, 70_000));

        assertEquals(0, run("chain", "--interval", "7"));

        assertEquals(List.of(7L), pauses);
        assertTrue(lines(out).get(0).contains("in 7.2 s until "), lines(out).get(0));
        assertTrue(lines(out).get(2).matches("execute +source -> relay +1\\* +70.0 us .*"), lines(out).get(2));
    }

    @Test
    void shouldRepeatUntilTheTopologyIsGoneWhenWatching() throws Exception {
        worker(new EndpointAnswer().hop(EXECUTE, 10_000), new EndpointAnswer().hop(EXECUTE, 10_000, 20_000),
            new EndpointAnswer().hop(EXECUTE, 10_000, 20_000, 30_000));
        Deque<RunningTopology> known = new ArrayDeque<>(List.of(topology(), topology(), topology()));
        LatencyCommand command = command(name -> {
            if (known.isEmpty()) {
                throw new NotAliveException(name);
            }
            return known.remove();
        });

        assertThrows(NotAliveException.class, () -> command.run("chain", "--watch"));

        assertEquals(List.of(5L, 5L, 5L), pauses);
        List<String> rows = lines(out).stream().filter(line -> line.startsWith("execute")).toList();
        assertEquals(2, rows.size());
        assertTrue(rows.get(0).contains(" 1*  20.0 us"), rows.get(0));
        assertTrue(rows.get(1).contains(" 1*  30.0 us"), rows.get(1));
    }

    @Test
    void shouldNameAWorkerInOneLineWhenItDoesNotAnswerAndShowTheOthers() throws Exception {
        worker(new EndpointAnswer().hop(EXECUTE, 10_000));
        WorkerAddress away = worker(new EndpointAnswer());
        servers.get(1).stop(0);
        WorkerAddress foreign = worker(new EndpointAnswer("other-3-1700000000"));

        assertEquals(0, run("chain"));

        assertTrue(lines(out).get(0).contains("1 of 3 workers"), lines(out).get(0));
        assertEquals(2, lines(err).size());
        assertTrue(lines(err).contains(
            "storm latency: worker " + away + " is left out: nothing listens at its endpoint; it is starting or has ended."));
        assertTrue(lines(err).contains(
            "storm latency: worker " + foreign + " is left out: it returned latencies of other-3-1700000000."));
    }

    @Test
    void shouldFailWhenNoWorkerAnswers() throws Exception {
        worker(new EndpointAnswer());
        servers.get(0).stop(0);

        assertEquals(1, run("chain", "--watch"));

        assertTrue(
            lines(err).get(1).startsWith("storm latency: no worker of topology chain reports its latencies, for the reasons above. "),
            lines(err).get(1));
        assertEquals(List.of(), pauses);
    }

    @Test
    void shouldSayWhatToDoWhenThereIsNothingToShow() throws Exception {
        worker(new EndpointAnswer());

        assertEquals(0, run("chain"));

        assertEquals("Nothing was recorded yet. Do the spouts emit?", lines(out).get(1));
    }

    @Test
    void shouldSayHowToRecordMoreWhenNoneOfTheRecordedMessagesCame() throws Exception {
        worker(new EndpointAnswer(), new EndpointAnswer(), new EndpointAnswer());
        conf.put(LatencyRecordingConfiguration.RECORDING, "sampled:1/1000");
        String more = "To record more messages, submit the topology again with -c topology.latency.recording=all.";

        assertEquals(0, run("chain"));
        assertEquals("Nothing was recorded yet. Do the spouts emit? " + more, lines(out).get(1));
        assertEquals(0, run("chain", "--interval", "7"));
        assertEquals("Nothing was recorded. Do the spouts emit? A longer --interval shows more. " + more, lines(out).get(3));
    }

    @Test
    void shouldFindAComponentWhoseNameIsWrittenOtherwiseInTags() throws Exception {
        plan = new ComponentPlan(Map.of("source", Set.of(), "my_relay", Set.of("source")));
        worker(new EndpointAnswer().hop("execute/my_relay/2/source:default", 10_000));

        assertEquals(0, run("chain", "--component", "my relay"));
        assertTrue(lines(out).get(2).matches("execute +source -> my_relay .*"), lines(out).get(2));
    }

    @Test
    void shouldSayThatNothingWasRecordedOfTheComponentAskedFor() throws Exception {
        plan = new ComponentPlan(Map.of("source", Set.of(), "relay", Set.of("source"), "idle", Set.of("relay")));
        worker(new EndpointAnswer().hop(EXECUTE, 10_000));

        assertEquals(0, run("chain", "--component", "idle"));
        assertTrue(lines(out).get(1).startsWith("Nothing was recorded of idle yet. "), lines(out).get(1));
    }

    @Test
    void shouldReportWhatWasDroppedAndOfFewOrUncertainFigures() throws Exception {
        worker(new EndpointAnswer().unsureHop("network/__worker/-1/one:6700", 50_000, 1_234, 10_000));

        assertEquals(0, run("chain"));

        assertTrue(lines(out).get(2).contains("<60.0 us"), lines(out).get(2));
        assertTrue(lines(out).get(3).startsWith("* : with fewer than 1,000 values"), lines(out).get(3));
        assertTrue(lines(out).get(4).startsWith("< : the clocks"), lines(out).get(4));
        assertTrue(lines(out).get(5).startsWith("1,234 values are missing: "), lines(out).get(5));
    }

    @Test
    void shouldSayHowToRecordWhenRecordingIsOff() throws Exception {
        worker(new EndpointAnswer());
        conf.put(LatencyRecordingConfiguration.RECORDING, "off");

        assertFails("storm latency: topology chain records no latencies. Submit it again with -c topology.latency.recording=");
    }

    @Test
    void shouldSayHowToServeWhenTheEndpointIsOff() throws Exception {
        worker(new EndpointAnswer());
        conf.put(LatencyRecordingConfiguration.ENDPOINT_PORT_OFFSET, 0);

        assertFails("storm latency: the workers of topology chain do not serve what they record.");
    }

    @Test
    void shouldSaySoWhenThereAreNoWorkersYet() throws Exception {
        assertFails("storm latency: topology chain has no workers yet.");
    }

    @Test
    void shouldNameTheComponentsWhenItIsAskedForAnother() throws Exception {
        worker(new EndpointAnswer());

        assertEquals(1, run("chain", "--component", "relais"));
        assertEquals(List.of("storm latency: topology chain has no component relais. It has source, relay."), lines(err));
    }

    @Test
    void shouldExplainItselfWhenTheCommandLineIsWrong() throws Exception {
        for (String[] wrong : List.of(new String[] {}, new String[] {"a", "b"}, new String[] {"a", "--interval", "0"},
            new String[] {"a", "--fast"})) {
            err.reset();
            assertEquals(2, run(wrong));
            assertEquals(2, lines(err).size());
            assertTrue(lines(err).get(1).startsWith("usage: storm latency TOPOLOGY"), lines(err).get(1));
        }
    }

    private void assertFails(String expected) throws Exception {
        assertEquals(1, run("chain"));
        assertEquals(1, lines(err).size());
        assertTrue(lines(err).get(0).startsWith(expected), lines(err).get(0));
    }

    private int run(String... arguments) throws Exception {
        return command(name -> topology()).run(arguments);
    }

    private LatencyCommand command(LatencyCommand.TopologyFinder finder) {
        return new LatencyCommand(finder, pauses::add, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private RunningTopology topology() {
        return new RunningTopology("chain", EndpointAnswer.TOPOLOGY_ID, new LatencyRecordingConfiguration(conf), workers, plan);
    }

    /** A worker that gives these answers in turn, and the last one again and again. */
    private WorkerAddress worker(EndpointAnswer... answers) throws IOException {
        Deque<EndpointAnswer> left = new ArrayDeque<>(List.of(answers));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/latency", exchange -> {
            byte[] body = (left.size() > 1 ? left.remove() : left.peek()).toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        servers.add(server);
        WorkerAddress address = new WorkerAddress("127.0.0.1", server.getAddress().getPort() - PORT_OFFSET);
        workers.add(address);
        return address;
    }

    private static List<String> lines(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
