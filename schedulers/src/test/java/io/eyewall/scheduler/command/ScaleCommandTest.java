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

    private final FakeService service = new FakeService();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldShowThePlanAndChangeNothingInADryRun() throws Exception {
        assertEquals(0, run("--out", "1", "--dry-run", "linear"));

        assertEquals("The plan.\n", text(out));
        assertEquals("", text(err));
        assertNull(service.rebalanced);
        assertTrue(service.withdrawn);
        assertTrue(service.posted.order().dryRun());
    }

    @Test
    void shouldAskForTheRebalanceAndSayThatItIsCommitted() throws Exception {
        service.outcome = ScalingEvent.Kind.COMMITTED;

        assertEquals(0, run("--in", "2", "--strategy", "ds2", "linear"));

        assertEquals("scale in by 2 (ds2)", service.posted.order().inWords());
        assertEquals(Map.of("work", 3), service.rebalanced.get_num_executors());
        assertEquals(3, service.rebalanced.get_num_workers());
        assertEquals(0, service.rebalanced.get_wait_secs());
        assertEquals("The plan.\ncommitted: what happened\n", text(out));
        assertTrue(service.withdrawn);
    }

    @Test
    void shouldWaitForTheResultWhenTold() throws Exception {
        service.outcome = ScalingEvent.Kind.COMMITTED;
        service.measuredAfterLooks = 20;

        assertEquals(0, run("--out", "1", "--wait", "linear"));

        assertTrue(text(out).endsWith("measured: 1/s before, 2/s after\n"), text(out));
    }

    @Test
    void shouldFailWhenTheScalingIsAborted() throws Exception {
        service.outcome = ScalingEvent.Kind.ABORTED;

        assertEquals(1, run("--out", "1", "linear"));

        assertEquals("storm scale: aborted: what happened.\n", text(err));
    }

    @Test
    void shouldSayHowToGoBackWhenNothingIsHeardOfTheRebalance() throws Exception {
        assertEquals(1, run("--out", "1", "linear"));

        assertTrue(text(err).endsWith("to have the former numbers back: storm rebalance linear -n 2.\n"), text(err));
    }

    @Test
    void shouldSayWhereTheOutcomeWillBeWhenNimbusGoesMeanwhile() throws Exception {
        service.outcome = ScalingEvent.Kind.COMMITTED;
        service.goneAfterLooks = 10;

        assertEquals(1, run("--out", "1", "--wait", "linear"));

        assertTrue(text(out).endsWith("committed: what happened\n"), text(out));
        assertEquals("storm scale: Nimbus has gone. Whether the topology was scaled, `storm scale --log` shows when Nimbus is back.\n",
            text(err));
    }

    @Test
    void shouldFailWithTheReasonWhenItIsRefused() throws Exception {
        service.answer = new ScalingResponse("Topology linear cannot grow", "", Map.of(), 0, "");

        assertEquals(1, run("--out", "9", "linear"));

        assertEquals("storm scale: Topology linear cannot grow.\n", text(err));
        assertEquals("", text(out));
        assertNull(service.rebalanced);
        assertTrue(service.withdrawn);
    }

    @Test
    void shouldNameTheSchedulerThatIsNeeded() throws Exception {
        service.scheduler = "org.apache.storm.scheduler.resource.ResourceAwareScheduler";

        assertEquals(1, run("--out", "1", "linear"));

        assertEquals("storm scale: the cluster's scheduler is org.apache.storm.scheduler.resource.ResourceAwareScheduler. Set "
            + "storm.scheduler: io.eyewall.scheduler.scaling.ElasticityScheduler in Nimbus's storm.yaml and start Nimbus again.\n",
            text(err));
        assertNull(service.posted);
        service.scheduler = "";
        assertEquals(1, run("--out", "1", "linear"));
        assertTrue(text(err).contains("the cluster's scheduler is Storm's default. Set "), text(err));
    }

    @Test
    void shouldPassOnWhatNimbusSaysOfAnUnknownTopology() {
        assertThrows(NotAliveException.class, () -> run("--out", "1", "other"));
        assertNull(service.posted);
    }

    @Test
    void shouldGiveUpWhenNoAnswerComes() throws Exception {
        service.answer = null;

        assertEquals(1, run("--out", "1", "linear"));

        assertEquals("storm scale: Nimbus's scheduler has not answered for 80 s. nimbus.log has the reason.\n", text(err));
        assertTrue(service.withdrawn);
    }

    @Test
    void shouldRefuseAWrongCommandLine() throws Exception {
        for (String line : List.of("linear", "--out 1", "--out 1 --in 1 linear", "--out 0 linear", "--out -1 linear", "--out x linear",
            "--in 99999999999 linear", "--out 1 linear other", "--out 1 --strategy magic linear", "--sideways 1 linear")) {
            err.reset();
            assertEquals(2, run(line.split(" ")), line);
            assertTrue(text(err).startsWith("storm scale: "), text(err));
        }
        assertNull(service.posted);
    }

    @Test
    void shouldShowTheLogOfAllOrOfOneTopology() throws Exception {
        assertEquals(0, run("--log"));
        assertEquals("No topology has been scaled.\n", text(out));
        out.reset();
        service.events.add(new ScalingEvent(0, "a", "linear", "scale out by 1 (etp)", ScalingEvent.Kind.COMMITTED, "to m3"));
        service.events.add(new ScalingEvent(1, "b", "star", "scale in by 1 (ds2)", ScalingEvent.Kind.ABORTED, "m3 has gone"));

        assertEquals(0, run("--log"));
        assertEquals(2, text(out).lines().count());
        assertTrue(text(out).lines().findFirst().orElseThrow().endsWith("  linear  scale out by 1 (etp)  committed: to m3"), text(out));
        out.reset();
        assertEquals(0, run("--log", "star"));
        assertEquals(1, text(out).lines().count());
        assertFalse(text(out).contains("linear"));
    }

    private int run(String... arguments) throws TException, InterruptedException {
        return new ScaleCommand(service, ms -> { }, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8)).run(arguments);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    private static final class FakeService implements ScalingClient {

        private String scheduler = ElasticityScheduler.class.getName();
        private ScalingResponse answer = PLAN;
        /** What the log says after the rebalance; null for nothing. */
        private ScalingEvent.Kind outcome;
        private int measuredAfterLooks = Integer.MAX_VALUE;
        private int goneAfterLooks = Integer.MAX_VALUE;
        private final List<ScalingEvent> events = new ArrayList<>();
        private ScalingRecord posted;
        private RebalanceOptions rebalanced;
        private boolean withdrawn;
        private int looks;

        @Override
        public SchedulerInfo scheduler() {
            return new SchedulerInfo(scheduler, 10);
        }

        @Override
        public void checkAlive(String topologyName) throws TException {
            if (!topologyName.equals("linear")) {
                throw new NotAliveException(topologyName);
            }
        }

        @Override
        public void post(ScalingRecord post) {
            posted = post;
        }

        @Override
        public Optional<ScalingResponse> answer(ScalingRecord post) {
            return ++looks < 3 ? Optional.empty() : Optional.ofNullable(answer);
        }

        @Override
        public void withdraw(ScalingRecord post) throws TException {
            checkThere();
            withdrawn = true;
        }

        @Override
        public void rebalance(String topologyName, RebalanceOptions options) {
            assertEquals("linear", topologyName);
            rebalanced = options;
            if (outcome != null) {
                events.add(new ScalingEvent(0, posted.order().id(), topologyName, "", outcome, "what happened"));
            }
        }

        @Override
        public List<ScalingEvent> log() throws TException {
            checkThere();
            if (++looks == measuredAfterLooks) {
                events.add(new ScalingEvent(0, posted.order().id(), "linear", "", ScalingEvent.Kind.MEASURED, "1/s before, 2/s after"));
            }
            return events;
        }

        private void checkThere() throws TTransportException {
            if (looks > goneAfterLooks) {
                throw new TTransportException("Broken pipe");
            }
        }
    }
}
