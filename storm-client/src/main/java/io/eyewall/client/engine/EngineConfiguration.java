package io.eyewall.client.engine;

import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/**
 * The settings of the worker engine, as one topology has them.
 */
public final class EngineConfiguration implements SettingsGroup {

    /** Key of {@link #wakeOnArrival()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String WAKE_ON_ARRIVAL = "topology.wake.on.arrival";

    /** Key of {@link #wantsLedger()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String ACKING = "topology.acking";
    /** The value of {@link #ACKING} for ledgers. */
    public static final String LEDGER = "ledger";
    /** The value of {@link #ACKING} for upstream's ackers. */
    public static final String ACKER = "acker";

    /** Key of {@link #hotRebalance()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String HOT_REBALANCE = "topology.rebalance.hot";

    /** Key of {@link #sharesThreads(boolean)}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String EXECUTOR_THREADS = "topology.executor.threads";
    /** The value of {@link #EXECUTOR_THREADS} for a thread for each executor. */
    public static final String OWN = "own";
    /** The value of {@link #EXECUTOR_THREADS} for a few threads that executors share. */
    public static final String POOL = "pool";
    /** The value of {@link #EXECUTOR_THREADS} for {@link #POOL} where a worker has many executors, and {@link #OWN} elsewhere. */
    public static final String AUTO = "auto";

    /** Key of {@link #quantumUs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String POOL_QUANTUM = "topology.executor.pool.quantum.us";

    /** Key of {@link #blockedMs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String POOL_BLOCKED = "topology.executor.pool.blocked.ms";

    /** Key of {@link #sendsFrames()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String FRAMES = "topology.transfer.frames";

    /** Key of {@link #sharesMemory()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String SHARED_MEMORY = "topology.transfer.shared.memory";
    private static final String OFF = "off";

    private static final Setting<Boolean> WAKE_SETTING = Setting.flag(WAKE_ON_ARRIVAL, true,
        "Executors and the transfer thread wake when work arrives, and producers that found a queue full wake when there is room."
            + " Queues whose `topology.executor.receive.buffer.size` is Storm's default of 32,768 tuples hold 8,192. With `false`"
            + " threads look for work at the intervals of Storm's wait strategies, and queues hold what that key says. So do those"
            + " threads whose wait strategy is not Storm's default.");

    private static final Setting<String> ACKING_SETTING = Setting.choice(ACKING, LEDGER, List.of(LEDGER, ACKER),
        "Where the trees of tuples are tracked: in a ledger in each spout executor, or in Storm's ackers. A topology gets ackers if a"
            + " Supervisor of the cluster is not Eyewall's, or if it is submitted by another client than Eyewall's. With"
            + " `topology.acker.executors: 0` nothing is acked.");

    private static final Setting<Boolean> HOT_SETTING = Setting.flag(HOT_REBALANCE, true,
        "Workers keep running when a rebalance changes their executors, and most tasks that need not move stay where they are. Spouts keep"
            + " emitting, except one that moves: it waits until its messages are acked. With `false`, workers restart as in Storm. They"
            + " also restart if the topology has stateful windows, if a client other than Eyewall's submitted it, or if a Supervisor of the"
            + " cluster is not Eyewall's.");

    private static final Setting<String> THREADS_SETTING = Setting.choice(EXECUTOR_THREADS, AUTO, List.of(OWN, POOL, AUTO),
        "With `own` each executor has a thread, as in Storm. With `pool` executors share as many threads as the worker has cores; an"
            + " executor whose calls take long has a thread of its own until they are short again. `auto` is `pool` if the topology was"
            + " submitted with more than eight executors per worker and core (with stream managers, in an instance), or spouts have"
            + " deadline targets or shares, and `own` if not. `pool` has no effect with `topology.wake.on.arrival: false`, or where a wait"
            + " strategy other than Storm's is set. A component's own configuration overrides the topology's.");
    private static final Setting<Long> QUANTUM_SETTING = Setting.integer(POOL_QUANTUM, 200, 10, 100_000, "microseconds",
        "How long an executor of the pool takes tuples before another one has a turn.");
    private static final Setting<Long> BLOCKED_SETTING = Setting.integer(POOL_BLOCKED, 10, 1, 60_000, "milliseconds",
        "How long a call of `execute` or `nextTuple` may take before its executor leaves the pool for a thread of its own, rounded up to"
            + " a multiple of 5. It comes back after a second without a call that waits or takes fifty times as long. That second doubles"
            + " each time it leaves again within two minutes, up to about a minute.");

    private static final Setting<Boolean> FRAMES_SETTING = Setting.flag(FRAMES, true,
        "Tuples go to other workers in frames, many in each, in place of a message for each tuple. A worker that reads no frames gets"
            + " messages. `true` has no effect with `topology.wake.on.arrival: false`, with a transport other than Storm's Netty"
            + " or Eyewall's libfabric, or with `topology.serialized.message.size.metrics`.");

    private static final Setting<String> MEMORY_SETTING = Setting.choice(SHARED_MEMORY, OFF, List.of(OFF, AUTO),
        "With `auto` frames go to another worker of the same host through shared memory, and with `topology.worker.mode: stream-manager`"
            + " between an instance and its stream manager. They go over the network, or over the instance's socket, if `/dev/shm` is full"
            + " or missing, or if the two processes do not have the same one. It needs `topology.transfer.frames`, and between workers"
            + " Netty's native epoll. It has no effect with `storm.messaging.netty.tls.enable`: what is to be encrypted would lie in memory"
            + " as it is.");

    private static final List<Setting<?>> SETTINGS = List.of(WAKE_SETTING, ACKING_SETTING, HOT_SETTING, THREADS_SETTING, QUANTUM_SETTING,
        BLOCKED_SETTING, FRAMES_SETTING, MEMORY_SETTING);

    private final boolean wakeOnArrival;
    private final boolean wantsLedger;
    private final boolean hotRebalance;
    private final boolean agreed;
    private final String threads;
    /** The keys of wait strategies that the user has chosen. They would park the threads that executors share. */
    private final List<String> chosenWaits;
    private final long quantumUs;
    private final long blockedMs;
    private final boolean sendsFrames;
    private final boolean wantsMemory;
    private final boolean encrypts;

    /** The defaults. */
    public EngineConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public EngineConfiguration(Map<String, Object> topologyConf) {
        wakeOnArrival = WAKE_SETTING.of(topologyConf);
        wantsLedger = ACKING_SETTING.of(topologyConf).equals(LEDGER);
        hotRebalance = HOT_SETTING.of(topologyConf);
        threads = THREADS_SETTING.of(topologyConf);
        chosenWaits = FormerWaitStrategies.chosen(topologyConf);
        quantumUs = QUANTUM_SETTING.of(topologyConf);
        blockedMs = BLOCKED_SETTING.of(topologyConf);
        sendsFrames = FRAMES_SETTING.of(topologyConf);
        wantsMemory = MEMORY_SETTING.of(topologyConf).equals(AUTO);
        encrypts = ObjectReader.getBoolean(topologyConf.get(Config.STORM_MESSAGING_NETTY_TLS_ENABLE), false);
        agreed = topologyConf.containsKey(HOT_REBALANCE) && !ConfigUtils.isLocalMode(topologyConf);
    }

    /**
     * The settings of the components of a topology, by component: their own on top of the topology's.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public static Map<String, EngineConfiguration> ofComponents(StormTopology topology, Map<String, Object> topologyConf) {
        Map<String, EngineConfiguration> components = new HashMap<>();
        Components.of(topology).forEach((component, common) ->
            components.put(component, new EngineConfiguration(OwnConfiguration.over(topologyConf, common))));
        return components;
    }

    @Override
    public String title() {
        return "Worker engine";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    public boolean wakeOnArrival() {
        return wakeOnArrival;
    }

    /**
     * Whether the executors of a worker share threads. They need {@link #wakeOnArrival()} and Storm's wait strategies for that.
     *
     * @param many whether the worker has so many executors that they had better do
     */
    public boolean sharesThreads(boolean many) {
        return wakeOnArrival && chosenWaits.isEmpty() && (threads.equals(POOL) || (many && threads.equals(AUTO)));
    }

    /**
     * What to change so that executors can share threads: instructions without a full stop, such as "set topology.wake.on.arrival to true".
     * Empty if {@code sharesThreads(true)}.
     */
    public List<String> remediesForOwnThreads() {
        List<String> remedies = new ArrayList<>();
        if (threads.equals(OWN)) {
            remedies.add("set " + EXECUTOR_THREADS + " to " + AUTO + " or " + POOL + " instead of " + OWN);
        }
        if (!wakeOnArrival) {
            remedies.add("set " + WAKE_ON_ARRIVAL + " to true");
        }
        chosenWaits.forEach(key ->
            remedies.add("remove " + key + " from the configurations of the topology and its components, and from storm.yaml"));
        return remedies;
    }

    /** Whether {@link #EXECUTOR_THREADS} is {@link #POOL}. */
    public boolean wantsPool() {
        return threads.equals(POOL);
    }

    /** How long an executor that shares threads may run, in microseconds, before another one has a turn. */
    public long quantumUs() {
        return quantumUs;
    }

    /** How long a call may take, in milliseconds, before its executor gets a thread of its own. */
    public long blockedMs() {
        return blockedMs;
    }

    /** Whether tuples go to other workers in frames, and are read from them. They need {@link #wakeOnArrival()} for that. */
    public boolean sendsFrames() {
        return sendsFrames && wakeOnArrival;
    }

    /**
     * Whether frames go through shared memory between workers of one host, and between instances and their stream manager. They need
     * {@link #sendsFrames()} for that, and no TLS.
     */
    public boolean sharesMemory() {
        return wantsMemory && !encrypts && sendsFrames();
    }

    /**
     * Why frames do not go through shared memory although the topology asks for that; empty if they do, or it does not ask.
     *
     * @param noEpoll why Netty's native epoll cannot be used, which the doorbell of a ring between workers needs; null if it can
     */
    Optional<String> obstacleToSharedMemory(Throwable noEpoll) {
        if (!wantsMemory) {
            return Optional.empty();
        }
        if (encrypts) {
            return Optional.of("storm.messaging.netty.tls.enable is true, and what is to be encrypted would lie in memory as it is");
        }
        if (!sendsFrames()) {
            return Optional.of((wakeOnArrival ? FRAMES : WAKE_ON_ARRIVAL) + " is false");
        }
        return Optional.ofNullable(noEpoll).map(cause -> "Netty's native epoll cannot be used on this host: " + cause);
    }

    /** Whether the topology is to be acked by ledgers, if all its workers can. */
    public boolean wantsLedger() {
        return wantsLedger;
    }

    /** Whether executors are to change while workers keep running, if all workers can do that. */
    public boolean hotRebalance() {
        return hotRebalance;
    }

    /**
     * Whether executors change while the workers of this topology keep running. False if the configuration does not have the key: then
     * upstream's client submitted the topology, and some of its workers may be upstream's.
     */
    public boolean changesExecutors() {
        return hotRebalance && agreed;
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
