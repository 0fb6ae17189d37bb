package io.eyewall.scheduler.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.scheduler.drain.DrainRequest;
import io.eyewall.scheduler.drain.DrainRequest.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.Test;

class DrainCommandTest {

    private final FakeNimbus nimbus = new FakeNimbus();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldWaitUntilTheSupervisorIsEmpty() throws Exception {
        nimbus.responses.add(new DrainRequest("id-1", Progress.DRAINING, "orders-1-1 on port 6700", 1));
        nimbus.responses.add(new DrainRequest("id-1", Progress.DRAINING, "orders-1-1 on port 6700", 1));
        nimbus.responses.add(new DrainRequest("id-1", Progress.EMPTY, "", 2));

        assertEquals(0, run("id-1"));

        assertEquals("id-1 has orders-1-1 on port 6700\nid-1 is empty, and gets no executors until it has been stopped and started.\n",
            text(out));
        assertEquals(List.of("eyewall-drain-id-1"), List.copyOf(nimbus.blobs.keySet()), "the request stays");
    }

    @Test
    void shouldAskForOneOfTheSupervisorsOfAHost() throws Exception {
        assertEquals(1, run("beta"));
        assertEquals(1, run("beta", "--cancel"));

        String once = "storm drain: beta has several Supervisors. Name one of them: id-2, id-3\n";
        assertEquals(once + once, text(err));
        assertEquals(Map.of(), nimbus.blobs);
    }

    @Test
    void shouldAskAgainWhatWasRefusedBeforeAndNotWhatIsEmpty() throws Exception {
        nimbus.put(new DrainRequest("id-2", Progress.EMPTY, "", 2));
        nimbus.put(new DrainRequest("id-3", Progress.REFUSED, "long ago", 2));

        assertEquals(0, run("id-2"));
        nimbus.responses.add(new DrainRequest("id-3", Progress.EMPTY, "", 3));
        assertEquals(0, run("id-3"));

        String end = " is empty, and gets no executors until it has been stopped and started.\n";
        assertEquals("id-2" + end + "id-3" + end, text(out));
        assertEquals(List.of("eyewall-drain-id-2", "eyewall-drain-id-3"), List.copyOf(nimbus.blobs.keySet()));
    }

    @Test
    void shouldNameWhatIsStillThereWhenTheTimeIsOver() throws Exception {
        nimbus.responses.add(new DrainRequest("id-1", Progress.DRAINING, "orders-1-1 on port 6700", 1));

        assertEquals(1, run("alpha", "--timeout", "2"));

        assertTrue(text(err).startsWith("storm drain: alpha is not empty after 2 s, it has orders-1-1 on port 6700. "), text(err));
        assertEquals(List.of("eyewall-drain-id-1"), List.copyOf(nimbus.blobs.keySet()), "it goes on");
    }

    @Test
    void shouldWithdrawWhatIsRefusedOrNotAnswered() throws Exception {
        nimbus.responses.add(new DrainRequest("id-1", Progress.REFUSED, "No other Supervisor has a free slot", 1));
        assertEquals(1, run("alpha"));
        assertEquals("storm drain: No other Supervisor has a free slot.\n", text(err));
        assertEquals(Map.of(), nimbus.blobs);

        err.reset();
        assertEquals(1, run("alpha"));
        assertEquals("storm drain: Nimbus's scheduler has not responded for 80 s. nimbus.log has the reason.\n", text(err));
        assertEquals(Map.of(), nimbus.blobs);
    }

    @Test
    void shouldSayThatSomebodyElseHasCancelled() throws Exception {
        nimbus.responses.add(null);

        assertEquals(1, run("alpha"));

        assertEquals("storm drain: the request was cancelled, or the Supervisor has ended.\n", text(err));
    }

    @Test
    void shouldNameTheSupervisorsThatThereAreWhenTheNameIsUnknown() throws Exception {
        assertEquals(1, run("gamma"));
        assertEquals(1, run("gamma", "--cancel"));

        String once = "storm drain: there is no Supervisor gamma in the cluster. There are, as HOST SUPERVISOR: alpha id-1, beta id-2, "
            + "beta id-3\n";
        assertEquals(once + once, text(err));
        assertEquals(Map.of(), nimbus.blobs);
    }

    @Test
    void shouldCancel() throws Exception {
        nimbus.put(new DrainRequest("id-1", Progress.EMPTY, "", 2));
        nimbus.put(new DrainRequest("id-2", Progress.EMPTY, "", 2));

        assertEquals(0, run("--cancel", "alpha"));

        assertEquals("alpha gets executors again.\n", text(out));
        assertEquals(List.of("eyewall-drain-id-2"), List.copyOf(nimbus.blobs.keySet()));
    }

    @Test
    void shouldRefuseAWrongCommandLine() throws Exception {
        assertEquals(2, run());
        assertTrue(text(err).startsWith("storm drain: no SUPERVISOR or HOST given\nusage: storm drain "), text(err));
        assertEquals(2, run("alpha", "beta"));
        assertEquals(2, run("alpha", "--timeout", "0"));
        assertEquals(2, run("alpha", "--now"));
    }

    private int run(String... arguments) throws Exception {
        return new DrainCommand(nimbus, new SchedulerConsole(DrainCommand.NAME, ms -> assertEquals(500, ms), stream(out), stream(err)))
            .run(arguments);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Three Supervisors on two hosts. Answers each read of a request that is not empty by the next response. */
    private static final class FakeNimbus implements SchedulerClient {

        private final Map<String, byte[]> blobs = new TreeMap<>();
        private final List<DrainRequest> responses = new ArrayList<>();
        private boolean created;

        void put(DrainRequest request) {
            blobs.put(request.key(), request.toBytes());
        }

        @Override
        public SchedulerInfo scheduler() {
            return new SchedulerInfo("", 10);
        }

        @Override
        public Map<String, String> supervisors() {
            return new TreeMap<>(Map.of("id-1", "alpha", "id-2", "beta", "id-3", "beta"));
        }

        @Override
        public void checkAlive(String topologyName) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void rebalance(String topologyName, RebalanceOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void create(String key, byte[] contents) {
            assertEquals(null, blobs.put(key, contents), "a blob of that name exists");
            created = true;
        }

        @Override
        public Optional<byte[]> read(String key) {
            byte[] contents = blobs.get(key);
            if (created && contents != null && DrainRequest.of(contents).progress() != Progress.EMPTY && !responses.isEmpty()) {
                DrainRequest next = responses.remove(0);
                blobs.remove(key);
                if (next != null) {
                    put(next);
                }
            }
            return Optional.ofNullable(blobs.get(key));
        }

        @Override
        public void delete(String key) {
            blobs.remove(key);
        }
    }
}
