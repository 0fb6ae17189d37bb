package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.as;
import static io.eyewall.core.security.Tenants.nimbus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.redis.state.RedisKeyValueStateProvider;
import org.apache.storm.spout.CheckPointState;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.state.StateFactory;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a topology of upstream's has checkpointed to Redis, for workers that make objects of no class that is not expected. */
class StateCommandTest {

    private static final String TOPOLOGY = "orders";
    private static final String STATE = "sums-2";
    private static final String CHECKPOINTS = "$checkpointspout-1";
    private static final String ORDER = Order.class.getName();
    private static final String ZONE = Zone.class.getName();

    @TempDir
    private Path directory;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private RedisProcess redis;

    @BeforeEach
    void start() throws Exception {
        redis = RedisProcess.start(directory);
        System.setProperty(Written.PORT, String.valueOf(redis.port()));
        Upstream.attackedBy(Written.class);
        System.clearProperty(Written.MADE);
    }

    @AfterEach
    void end() throws Exception {
        new Tenants.Close().call();
        if (redis != null) {
            redis.close();
        }
    }

    @Test
    void shouldNameTheClassesThatWorkersRefuseWithoutMakingAnObject() throws Exception {
        submit(Map.of());
        assertEquals(0, run(Map.of(), TOPOLOGY), () -> text(err));
        assertEquals(List.of(
            CHECKPOINTS + ": 1 entries",
            STATE + ": 4 entries with " + ORDER,
            "Workers refuse the classes that are listed. Add those which the topology keeps in its state to topology.state.classes: "
                + "[\"" + ORDER + "\"]"), text(out).lines().toList());
        assertEquals(null, System.getProperty(Written.MADE));
    }

    @Test
    void shouldFindNothingToRefuseWhenAllIsExpected() throws Exception {
        submit(Map.of("topology.state.classes", List.of(ORDER)));
        assertEquals(0, run(Map.of(), TOPOLOGY, STATE), () -> text(err));
        assertEquals(List.of(STATE + ": 4 entries", "Workers read all of the 4 entries: they name no class that is not expected."),
            text(out).lines().toList());
    }

    @Test
    void shouldWriteTheStateAnewForWorkersThatRegisterItsClasses() throws Exception {
        submit(Map.of());
        assertEquals(0, run(Map.of(), TOPOLOGY, "--register", ORDER), () -> text(err));
        assertEquals(List.of(
            CHECKPOINTS + ": 1 entries written anew",
            STATE + ": 4 entries written anew",
            "Kill the topology, and submit it with topology.state.kryo.register: [\"" + ZONE + "\",\"" + ORDER + "\"]"),
            text(out).lines().toList());

        Map<String, Object> registered = new HashMap<>(Written.conf());
        registered.put(Config.TOPOLOGY_STATE_KRYO_REGISTER, List.of(ZONE, ORDER));
        Map<String, String> read = new TreeMap<>();
        Written.state(STATE, registered).forEach(entry -> read.put(String.valueOf(entry.getKey()), String.valueOf(entry.getValue())));
        assertEquals(Map.of("list", "[1, two]", "optional", "Optional[there]", "order", "order 7 in zone 3", "zone 5", "5"), read);
        assertEquals("7 COMMITTED", Written.state(CHECKPOINTS, registered).iterator().next().getValue().toString().replaceAll(
            ".*txid=(\\d+), state=(\\w+).*", "$1 $2"));

        out.reset();
        assertEquals(0, run(Map.of(), TOPOLOGY));
        assertFalse(text(out).contains(ORDER), text(out));
    }

    @Test
    void shouldChangeNothingWhileTheTopologyIsActive() throws Exception {
        submit(Map.of());
        as(ALICE, () -> {
            nimbus().activate(TOPOLOGY);
            return null;
        });
        assertRefused("the topology is ACTIVE. Deactivate it, and wait for its checkpoint to end: storm deactivate orders", Map.of(),
            TOPOLOGY, "--register", ORDER);
    }

    @Test
    void shouldChangeNothingWhileACheckpointIsUnderWay() throws Exception {
        KeyValueState<Object, Object> checkpoints = Written.state(CHECKPOINTS, Written.conf());
        checkpoints.put("__state", new CheckPointState(8, CheckPointState.State.PREPARING));
        checkpoints.commit();
        submit(Map.of());
        assertRefused("a checkpoint has begun and has not ended. Activate the topology for a while: storm activate orders", Map.of(),
            TOPOLOGY, "--register", ORDER);
    }

    @Test
    void shouldChangeNothingWhenAnotherClassIsInTheState() throws Exception {
        submit(Map.of());
        assertEquals(1, run(Map.of(), TOPOLOGY, "--register", ZONE));
        assertTrue(text(err).startsWith("storm state: The class " + ORDER + " is not among those that the topology's state may hold."),
            text(err));
        assertEquals("", text(out));
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        submit(Map.of());
        assertRefused("no topology other is running", Map.of(), "other");
        assertRefused("the topology has no task with a state " + STATE + "x; there are " + CHECKPOINTS + ", " + STATE + ", " + STATE
            + "-window, " + STATE + "-window-partitions, " + STATE + "-window-systemstate", Map.of(), TOPOLOGY, STATE + "x");
        assertRefused("the jar has no class org.example.Order", Map.of(), TOPOLOGY, "--register", "org.example.Order");
        assertRefused("Nimbus does not return the password of the store. Give the whole value with -c 'topology.state.provider.config=...'",
            Map.of(Config.TOPOLOGY_STATE_PROVIDER_CONFIG, "{\"password\":\"*****\"}"), TOPOLOGY);
        assertRefused("the topology keeps no state outside its workers: topology.state.provider is"
            + " org.apache.storm.state.InMemoryKeyValueStateProvider",
            Map.of(Config.TOPOLOGY_STATE_PROVIDER, "org.apache.storm.state.InMemoryKeyValueStateProvider"), TOPOLOGY);
        assertEquals(2, run(Map.of()));
        assertEquals(2, run(Map.of(), TOPOLOGY, "--register"));
        assertEquals(List.of("storm state: the name of a topology is missing", "storm state: --register needs a value"),
            text(err).lines().toList());
    }

    private void assertRefused(String why, Map<String, Object> overrides, String... arguments) throws Exception {
        assertEquals(1, run(overrides, arguments));
        assertEquals("storm state: " + why, text(err).strip());
        assertEquals("", text(out));
        err.reset();
    }

    private static void submit(Map<String, Object> more) throws Exception {
        Map<String, Object> conf = new HashMap<>(Written.conf());
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, 0);
        conf.putAll(more);
        Tenants.submit(ALICE, TOPOLOGY, null, conf, Written.topology());
    }

    private int run(Map<String, Object> overrides, String... arguments) throws Exception {
        return as(ALICE, () -> new StateCommand(nimbus(), overrides, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8)).run(arguments));
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    /** Something of the topology's in its state, whose class nobody has registered. */
    static final class Order {
        static {
            System.setProperty(Written.MADE, "yes");
        }

        private final int number;
        private final Zone zone;

        Order(int number, Zone zone) {
            this.number = number;
            this.zone = zone;
        }

        @Override
        public String toString() {
            return "order " + number + " in zone " + zone.number;
        }
    }

    /** Something that is registered, and has another number when {@link Order} is so as well. */
    static final class Zone {
        private final int number;

        Zone(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "zone " + number;
        }
    }

    /** A bolt of the topology. */
    static final class Sums extends BaseStatefulBolt<KeyValueState<String, Integer>> {
        private static final long serialVersionUID = 1L;

        @Override
        public void initState(KeyValueState<String, Integer> state) {
            // Nothing runs here.
        }

        @Override
        public void execute(Tuple tuple) {
            // Nothing runs here.
        }
    }

    /** Writes state to Redis, with the serializers of the class loader that it is in. */
    static final class Written implements Callable<Void> {
        static final String PORT = "io.eyewall.test.redis.port";
        static final String MADE = "io.eyewall.test.order.made";

        @Override
        public Void call() {
            KeyValueState<Object, Object> state = state(STATE, conf());
            state.put("order", new Order(7, new Zone(3)));
            state.put(new Zone(5), "5");
            state.put("list", new ArrayList<>(List.of(1, "two")));
            state.put("optional", Optional.of("there"));
            state.prepareCommit(1);
            state.commit(1);
            KeyValueState<Object, Object> checkpoints = state(CHECKPOINTS, conf());
            checkpoints.put("__state", new CheckPointState(7, CheckPointState.State.COMMITTED));
            checkpoints.commit();
            return null;
        }

        static StormTopology topology() {
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("words", new TestWordSpout());
            builder.setBolt("sums", new Sums()).shuffleGrouping("words");
            return builder.createTopology();
        }

        static Map<String, Object> conf() {
            return Map.of(Config.TOPOLOGY_STATE_PROVIDER, RedisKeyValueStateProvider.class.getName(),
                Config.TOPOLOGY_STATE_PROVIDER_CONFIG, "{\"keyClass\":\"java.lang.String\",\"jedisPoolConfig\":{\"host\":\"127.0.0.1\","
                    + "\"port\":" + System.getProperty(PORT) + ",\"timeout\":60000,\"database\":0}}",
                Config.TOPOLOGY_STATE_KRYO_REGISTER, List.of(ZONE));
        }

        /** As a task gets it. */
        @SuppressWarnings("unchecked")
        static KeyValueState<Object, Object> state(String name, Map<String, Object> topologyConf) {
            Map<String, Object> conf = Utils.readDefaultConfig();
            conf.putAll(topologyConf);
            TopologyContext context = new TopologyContext(topology(), conf, Map.of(2, "sums"), Map.of(), Map.of(), Map.of(), TOPOLOGY, "",
                "", 2, 0, List.of(2), Map.of(), Map.of(), new HashMap<>(), new HashMap<>(), new AtomicBoolean(), null);
            return (KeyValueState<Object, Object>) StateFactory.getState(name, conf, context);
        }
    }
}
