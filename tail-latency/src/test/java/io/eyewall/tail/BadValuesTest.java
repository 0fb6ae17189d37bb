package io.eyewall.tail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SubmittedSettings;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.validation.Validated;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Gives each key of the worker's modules a value that it cannot have. */
class BadValuesTest {

    private static final String FLAG = "true or false";
    private static final String TEXT = "a text that is not empty";
    private static final String NAMES = "a list of names";

    /** A value that a key cannot have, and what it must be instead. */
    private record Bad(String key, Object value, String allowed) {
        String message() {
            return key + " is '" + value + "', but must be " + allowed + ".";
        }
    }

    static Stream<Bad> badValues() {
        return Stream.of(
            new Bad("topology.wake.on.arrival", "yes", FLAG),
            new Bad("topology.acking", "ledgers", "ledger or acker"),
            new Bad("topology.rebalance.hot", 1, FLAG),
            new Bad("topology.executor.threads", "poool", "own or pool or auto"),
            new Bad("topology.executor.pool.quantum.us", 9, "a whole number of microseconds from 10 to 100000"),
            new Bad("topology.executor.pool.blocked.ms", 0, "a whole number of milliseconds from 1 to 60000"),
            new Bad("topology.transfer.frames", "off", FLAG),
            new Bad("topology.transfer.shared.memory", true, "off or auto"),
            new Bad("topology.deadline.target.ms", -1, "a whole number of milliseconds from 0 to 3600000, or a map from streams of"
                + " the spout to such numbers"),
            new Bad("topology.deadline.others.ms", 0, "a whole number of milliseconds from 1 to 3600000"),
            new Bad("topology.deadline.policy", "none", "llf, edf, sjf or fair; for no deadlines, remove it and set"
                + " topology.deadline.target.ms to 0"),
            new Bad("topology.deadline.tokens.per.sec", 0.5, "a whole number of messages per second from 0 to 100000000"),
            new Bad("topology.worker.mode", "container", "worker or stream-manager"),
            new Bad("topology.stream.executors.per.instance", 0, "a whole number of executors from 1 to 10000"),
            new Bad("topology.stream.back.pressure", "bolts", "spouts or stages"),
            new Bad("topology.tail.latency", "automatic", "manual or auto or slo"),
            new Bad("topology.latency.balancing", "on", FLAG),
            new Bad("topology.latency.balancing.period.secs", 3_601, "a whole number of seconds from 1 to 3600"),
            new Bad("topology.latency.balancing.aging", 0, "a number above 0 and up to 1"),
            new Bad("topology.latency.balancing.move.factor", 1.1, "a number from 1.2 to 1000"),
            new Bad("topology.latency.balancing.move.period.secs", 9, "a whole number of seconds from 10 to 86400"),
            new Bad("topology.executor.queue", "common", "own or shared"),
            new Bad("topology.adaptive.timeout", "always", FLAG),
            new Bad("topology.adaptive.timeout.cancel", 0, FLAG),
            new Bad("topology.adaptive.timeout.period.secs", 0, "a whole number of seconds from 1 to 3600"),
            new Bad("topology.adaptive.timeout.samples", 9, "a whole number of messages from 10 to 1000000"),
            new Bad("topology.adaptive.timeout.replays", 11, "a whole number of instances from 1 to 10"),
            new Bad("topology.adaptive.timeout.percent", 101, "a whole number of per cent from 1 to 100"),
            new Bad("topology.adaptive.timeout.min.ms", 0, "a whole number of milliseconds from 1 to 3600000"),
            new Bad("topology.adaptive.timeout.max.ms", 3_600_001, "a whole number of milliseconds from 1 to 3600000"),
            new Bad("topology.latency.recording", "sampled:1/0", "off, all, or sampled:1/N with N from 1 to 999999999"),
            new Bad("topology.latency.range.secs", 0, "a whole number of seconds from 1 to 86400"),
            new Bad("topology.latency.precision.digits", 6, "a whole number of significant decimal digits from 1 to 5"),
            new Bad("topology.latency.interval.secs", "10", "a whole number of seconds from 1 to 3600"),
            new Bad("topology.latency.endpoint.port.offset", 60_001, "a whole number of ports from 0 to 60000"),
            new Bad("topology.latency.due.field", "", TEXT),
            new Bad("topology.elastic", "yes", "manual or auto"),
            new Bad("topology.elastic.strategy", "random", "etp or ds2 or spout-distance or output-distance or descendants or centrality"
                + " or least-link-load or most-link-load"),
            new Bad("topology.elastic.congestion.rate", 0.9, "a number from 1 to 100"),
            new Bad("topology.elastic.tasks.factor", 0, "a whole number of tasks from 1 to 100"),
            new Bad("storm.daemon.metrics.reporter.prometheus.port", 65_536, "a whole number of ports from 0 to 65535"),
            new Bad("nimbus.serve.secrets", "no", FLAG),
            new Bad("storm.redacted.keys", "password", NAMES),
            new Bad("topology.state.classes", List.of(1), NAMES),
            new Bad("supervisor.worker.launcher.trusted", "no", FLAG),
            new Bad("storm.messaging.netty.max.message.bytes", 1, "a whole number of bytes from 1048576 to 2147483583"),
            new Bad("storm.thrift.tls.verify.host", "no", FLAG),
            new Bad("storm.messaging.netty.tls.verify.host", "no", FLAG));
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void shouldBeRefusedWhereATopologySetsThem(Bad bad) {
        assertEquals(bad.message(), assertThrows(IllegalArgumentException.class,
            () -> SubmittedSettings.check(Map.of(bad.key(), bad.value()))).getMessage());
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void shouldBeRefusedWhereAComponentSetsThem(Bad bad) {
        TopologyBuilder ofSpout = new TopologyBuilder();
        ofSpout.setSpout("words", new TestWordSpout()).addConfiguration(bad.key(), bad.value());
        assertEquals("In the configuration of the component 'words', " + bad.message(), refusal(ofSpout));

        TopologyBuilder ofBolt = new TopologyBuilder();
        ofBolt.setSpout("words", new TestWordSpout());
        ofBolt.setBolt("count", new TestWordCounter()).shuffleGrouping("words").addConfiguration(bad.key(), bad.value());
        assertEquals("In the configuration of the component 'count', " + bad.message(), refusal(ofBolt));
    }

    @Test
    void shouldBeKnownForEachKey() {
        Set<String> keys = ServiceLoader.load(Validated.class).stream().map(ServiceLoader.Provider::get)
            .filter(SettingsGroup.class::isInstance).map(SettingsGroup.class::cast)
            .flatMap(group -> group.settings().stream()).map(Setting::key).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(keys, badValues().map(Bad::key).collect(Collectors.toCollection(TreeSet::new)));
    }

    private static String refusal(TopologyBuilder topology) {
        return assertThrows(InvalidTopologyException.class, () -> SubmittedSettings.checkComponents(topology.createTopology())).get_msg();
    }
}
