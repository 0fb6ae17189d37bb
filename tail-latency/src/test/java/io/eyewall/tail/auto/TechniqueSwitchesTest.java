package io.eyewall.tail.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.eyewall.client.settings.tail.TailConfiguration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.junit.jupiter.api.Test;

class TechniqueSwitchesTest {

    private static final Map<String, Object> AUTO = Map.of(TailConfiguration.TAIL_LATENCY, "auto");
    private static final BoltLoad IDLE = new BoltLoad(4, 0.1);
    private static final BoltLoad BUSY = new BoltLoad(4, 0.8);

    private final StormMetricRegistry registry = new StormMetricRegistry();
    private final TechniqueSwitches switches = new TechniqueSwitches(AUTO);
    private final TechniqueSwitch replaying = switches.adaptiveTimeout();
    private final TechniqueSwitch sharing = switches.sharing("work");
    private final TechniqueSwitch balancing = switches.balancing("words", "default", "work", List.of(3, 4, 5));

    @Test
    void shouldReplayAloneWhereLittleIsToDo() {
        judge(3, 0.2, 0, IDLE, Map.of(3, 1e6, 4, 1e6, 5, 1.1e6));

        assertTrue(replaying.isOn() && !sharing.isOn() && !balancing.isOn());
        assertEquals(1, gauge("tail-adaptive-timeout"));
    }

    @Test
    void shouldShareAloneWhereExecutorsAreBusyAndAlike() {
        judge(3, 0.2, 0, BUSY, Map.of(3, 9e6, 4, 9e6, 5, 10e6));

        assertTrue(!replaying.isOn() && sharing.isOn() && !balancing.isOn());
        assertEquals(1, gauge("work.-1.*tail-shared-queue"));
    }

    @Test
    void shouldBalanceByTheTasksThatSendersSendToNow() {
        assertSame(balancing, switches.balancing("words", "default", "work", List.of(3, 4)));
        judge(3, 0.2, 0, IDLE, Map.of(3, 1e6, 4, 1e6, 5, 9e6));
        assertFalse(balancing.isOn(), "the slow one has left");

        switches.balancing("words", "default", "work", List.of(3, 4, 5));
        judge(3, 0.2, 0, IDLE, Map.of(3, 1e6, 4, 1e6, 5, 9e6));
        assertTrue(balancing.isOn());
    }

    @Test
    void shouldBalanceWhereATaskIsSlowAndStopReplayingWhenTheLoadIsHigh() {
        judge(3, 0.2, 0, IDLE, Map.of(3, 1e6, 4, 1e6, 5, 9e6));
        assertTrue(replaying.isOn() && !sharing.isOn() && balancing.isOn());

        judge(3, 0.9, 0, IDLE, Map.of());
        assertTrue(!replaying.isOn() && balancing.isOn(), "nothing is known of the tasks");
        assertEquals(0, gauge("tail-adaptive-timeout"));
        assertEquals(2, gauge("tail-adaptive-timeout-switches"));
        assertEquals(1, gauge("tail-balancing-default-work"));
    }

    @Test
    void shouldLeaveReplaysAsTheyAreWhileNothingIsToDo() {
        BoltLoad nothing = new BoltLoad(4, 0);
        judge(3, 0.2, 0, nothing, Map.of());
        assertFalse(replaying.isOn());

        judge(3, 0.2, 0, IDLE, Map.of());
        judge(3, 0.9, 0, nothing, Map.of());
        assertTrue(replaying.isOn());
    }

    @Test
    void shouldNotReplayWhereAnotherWorkerIsBusy() {
        judge(3, 0.2, 0.9, IDLE, Map.of());

        assertFalse(replaying.isOn());
    }

    @Test
    void shouldSwitchOffAgainWhenTheConditionsAreOver() {
        judge(3, 0.2, 0, BUSY, Map.of(3, 1e6, 4, 1e6, 5, 9e6));
        assertTrue(sharing.isOn() && balancing.isOn());
        judge(11, 0.2, 0, IDLE, Map.of(3, 1e6, 4, 1e6, 5, 1e6));
        assertTrue(sharing.isOn() && balancing.isOn());
        judge(1, 0.2, 0, IDLE, Map.of(3, 1e6, 4, 1e6, 5, 1e6));
        assertTrue(!sharing.isOn() && !balancing.isOn());
    }

    @Test
    void shouldLeaveToTheTopologyWhatItSaysItself() {
        Map<String, Object> conf = new HashMap<>(AUTO);
        conf.put("topology.adaptive.timeout", false);

        assertFalse(new TechniqueSwitches(conf).decides("topology.adaptive.timeout"));
        assertTrue(new TechniqueSwitches(conf).decides("topology.executor.queue"));
        assertFalse(new TechniqueSwitches(Map.of()).decides("topology.executor.queue"));
    }

    @Test
    void shouldTakeOrdersOnlyForWhatTheTopologyLeavesToTheScheduler() {
        Map<String, Object> conf = Map.of(TailConfiguration.TAIL_LATENCY, "slo", "topology.adaptive.timeout", true);

        assertFalse(new TechniqueSwitches(conf).takesOrders("topology.adaptive.timeout"));
        assertTrue(new TechniqueSwitches(conf).takesOrders("topology.latency.balancing"));
        assertFalse(new TechniqueSwitches(conf).decides("topology.latency.balancing"));
        assertFalse(switches.takesOrders("topology.latency.balancing"), "it is automatic");
    }

    private void judge(int periods, double cpu, double reported, BoltLoad work, Map<Integer, Double> latenciesNs) {
        for (int i = 0; i < periods; i++) {
            switches.judge(cpu, reported, Map.of("work", work), latenciesNs, registry);
        }
    }

    private int gauge(String name) {
        return registry.getRegistry().getGauges((each, gauge) -> each.matches(".*" + name)).values().stream()
            .mapToInt(each -> (Integer) ((Gauge<?>) each).getValue()).findFirst().orElseThrow();
    }
}
