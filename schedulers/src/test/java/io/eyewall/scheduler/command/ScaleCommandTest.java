package io.eyewall.scheduler.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.scheduler.scaling.ElasticityScheduler;
import io.eyewall.scheduler.scaling.ScalingEvent;
import io.eyewall.scheduler.scaling.ScalingRecord;
import io.eyewall.scheduler.scaling.ScalingResponse;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;

class ScaleCommandTest {

    private static final ScalingResponse PLAN =
        new ScalingResponse(null, "The plan.\n", Map.of("work", 3), 3, "storm rebalance linear -n 2");

    private final FakeClient client = new FakeClient();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldShowThePlanAndChangeNothingInADryRun() throws Exception {
        assertEquals(0, run("--out", "1", "--dry-run", "linear"));

        assertEquals("The plan.\n", text(out));
        assertEquals("", text(err));
        assertNull(client.rebalanced);
        assertTrue(client.withdrawn);
        assertTrue(client.submitted.request().dryRun());
    }

    @Test
    void shouldAskForTheRebalanceAndReportTheCommit() throws Exception {
        client.outcome = ScalingEvent.Kind.COMMITTED;

        assertEquals(0, run("--in", "2", "--strategy", "ds2", "linear"));

        assertEquals("scale in by 2 (ds2)", client.submitted.request().description());
        assertEquals(Map.of("work", 3), client.rebalanced.get_num_executors());
        assertEquals(3, client.rebalanced.get_num_workers());
        assertEquals(0, client.rebalanced.get_wait_secs());
        assertEquals("The plan.\ncommitted: what happened\n", text(out));
        assertTrue(client.withdrawn);
    }

    @Test
    void shouldWaitForTheResultWithWait() throws Exception {
        client.outcome = ScalingEvent.Kind.COMMITTED;
        client.measuredAfterPolls = 20;

        assertEquals(0, run("--out", "1", "--wait", "linear"));

        assertTrue(text(out).endsWith("measured: 1/s before, 2/s after\n"), text(out));
    }

    @Test
    void shouldFailWhenTheScalingIsAborted() throws Exception {
        client.outcome = ScalingEvent.Kind.ABORTED;

        assertEquals(1, run("--out", "1", "linear"));

        assertEquals("storm scale: aborted: what happened.\n", text(err));
    }

    @Test
    void shouldReportHowToUndoWhenTheOutcomeIsUnknown() throws Exception {
        assertEquals(1, run("--out", "1", "linear"));

        assertTrue(text(err).endsWith("this restores the previous numbers: storm rebalance linear -n 2.\n"), text(err));
    }

    @Test
    void shouldReportWhereTheOutcomeWillBeWhenTheConnectionIsLost() throws Exception {
        client.outcome = ScalingEvent.Kind.COMMITTED;
        client.goneAfterPolls = 10;

        assertEquals(1, run("--out", "1", "--wait", "linear"));

        assertTrue(text(out).endsWith("committed: what happened\n"), text(out));
        assertEquals("storm scale: the connection to Nimbus was lost. When Nimbus is back, `storm scale --log` shows whether the topology "
            + "was scaled.\n", text(err));
    }

    @Test
    void shouldFailWithTheReasonWhenThereIsNoPlan() throws Exception {
        client.response = new ScalingResponse("Topology linear cannot grow", "", Map.of(), 0, "");

        assertEquals(1, run("--out", "9", "linear"));

        assertEquals("storm scale: Topology linear cannot grow.\n", text(err));
        assertEquals("", text(out));
        assertNull(client.rebalanced);
        assertTrue(client.withdrawn);
    }

    @Test
    void shouldNameTheSchedulerThatIsNeeded() throws Exception {
        client.scheduler = "org.apache.storm.scheduler.resource.ResourceAwareScheduler";

        assertEquals(1, run("--out", "1", "linear"));

        assertEquals("storm scale: the cluster's scheduler is org.apache.storm.scheduler.resource.ResourceAwareScheduler. Set "
            + "storm.scheduler: io.eyewall.scheduler.scaling.ElasticityScheduler in Nimbus's storm.yaml and restart Nimbus.\n",
            text(err));
        assertNull(client.submitted);
        client.scheduler = "";
        assertEquals(1, run("--out", "1", "linear"));
        assertTrue(text(err).contains("the cluster's scheduler is Storm's default. Set "), text(err));
    }

    @Test
    void shouldTalkToAClusterWhoseSchedulerHasItsFormerName() throws Exception {
        client.scheduler = "io.eyewall.scheduler.stela.ElasticityScheduler";

        assertEquals(0, run("--out", "1", "--dry-run", "linear"));

        assertEquals("The plan.\n", text(out));
    }

    @Test
    void shouldThrowWhatNimbusThrowsForAnUnknownTopology() {
        assertThrows(NotAliveException.class, () -> run("--out", "1", "other"));
        assertNull(client.submitted);
    }

    @Test
    void shouldGiveUpWhenThereIsNoResponse() throws Exception {
        client.response = null;

        assertEquals(1, run("--out", "1", "linear"));

        assertEquals("storm scale: Nimbus's scheduler has not responded for 80 s. nimbus.log has the reason.\n", text(err));
        assertTrue(client.withdrawn);
    }

    @Test
    void shouldRefuseAWrongCommandLine() throws Exception {
        for (String line : List.of("linear", "--out 1", "--out 1 --in 1 linear", "--out 0 linear", "--out -1 linear", "--out x linear",
            "--in 99999999999 linear", "--out 1 linear other", "--out 1 --strategy magic linear", "--sideways 1 linear")) {
            err.reset();
            assertEquals(2, run(line.split(" ")), line);
            assertTrue(text(err).startsWith("storm scale: "), text(err));
        }
        assertNull(client.submitted);
    }

    @Test
    void shouldShowTheLogOfAllOrOfOneTopology() throws Exception {
        assertEquals(0, run("--log"));
        assertEquals("No topology has been scaled.\n", text(out));
        out.reset();
        client.events.add(new ScalingEvent(0, "a", "linear", "scale out by 1 (etp)", ScalingEvent.Kind.COMMITTED, "to m3"));
        client.events.add(new ScalingEvent(1, "b", "star", "scale in by 1 (ds2)", ScalingEvent.Kind.ABORTED, "m3 has gone"));

        assertEquals(0, run("--log"));
        assertEquals(2, text(out).lines().count());
        assertTrue(text(out).lines().findFirst().orElseThrow().endsWith("  linear  scale out by 1 (etp)  committed: to m3"), text(out));
        out.reset();
        assertEquals(0, run("--log", "star"));
        assertEquals(1, text(out).lines().count());
        assertFalse(text(out).contains("linear"));
    }

    private int run(String... arguments) throws TException, InterruptedException {
        return new ScaleCommand(client, new SchedulerConsole(ScaleCommand.NAME, ms -> { },
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8))).run(arguments);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    private static final class FakeClient implements ScalingClient {

        private String scheduler = ElasticityScheduler.class.getName();
        private ScalingResponse response = PLAN;
        /** The kind of event that the rebalance logs; null for none. */
        private ScalingEvent.Kind outcome;
        private int measuredAfterPolls = Integer.MAX_VALUE;
        private int goneAfterPolls = Integer.MAX_VALUE;
        private final List<ScalingEvent> events = new ArrayList<>();
        private ScalingRecord submitted;
        private RebalanceOptions rebalanced;
        private boolean withdrawn;
        private int polls;

        @Override
        public SchedulerClient.SchedulerInfo scheduler() {
            return new SchedulerClient.SchedulerInfo(scheduler, 10);
        }

        @Override
        public void checkAlive(String topologyName) throws TException {
            if (!topologyName.equals("linear")) {
                throw new NotAliveException(topologyName);
            }
        }

        @Override
        public void submit(ScalingRecord record) {
            submitted = record;
        }

        @Override
        public Optional<ScalingResponse> findResponse(ScalingRecord record) {
            return ++polls < 3 ? Optional.empty() : Optional.ofNullable(response);
        }

        @Override
        public void withdraw(ScalingRecord record) throws TException {
            checkConnected();
            withdrawn = true;
        }

        @Override
        public void rebalance(String topologyName, RebalanceOptions options) {
            assertEquals("linear", topologyName);
            rebalanced = options;
            if (outcome != null) {
                events.add(new ScalingEvent(0, submitted.request().id(), topologyName, "", outcome, "what happened"));
            }
        }

        @Override
        public List<ScalingEvent> log() throws TException {
            checkConnected();
            if (++polls == measuredAfterPolls) {
                String id = submitted.request().id();
                events.add(new ScalingEvent(0, id, "linear", "", ScalingEvent.Kind.MEASURED, "1/s before, 2/s after"));
            }
            return events;
        }

        private void checkConnected() throws TTransportException {
            if (polls > goneAfterPolls) {
                throw new TTransportException("Broken pipe");
            }
        }
    }
}
