package io.eyewall.client.engine;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.utils.ConfigUtils;
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

    private static final Setting<Boolean> WAKE_SETTING = Setting.flag(WAKE_ON_ARRIVAL, true,
        "Executors and the transfer thread wake when work arrives, and producers that found a queue full wake when there is room."
            + " Queues whose `topology.executor.receive.buffer.size` is Storm's default of 32,768 have 8,192 places. With `false`,"
            + " and where a wait strategy other than Storm's default is set, threads look for work at the intervals of the wait"
            + " strategy.");

    private static final Setting<String> ACKING_SETTING = Setting.choice(ACKING, LEDGER, List.of(LEDGER, ACKER),
        "Who keeps track of the trees of tuples: a ledger in each spout executor, or Storm's ackers. A topology gets ackers if a"
            + " Supervisor of the cluster is not Eyewall's, or if it is submitted by another client than Eyewall's. With"
            + " `topology.acker.executors: 0` nothing is acked.");

    private static final Setting<Boolean> HOT_SETTING = Setting.flag(HOT_REBALANCE, true,
        "Workers keep running when a rebalance changes their executors. Spouts keep emitting, except one that moves: it waits until its"
            + " messages are acked. Workers restart with `false`, for topologies with stateful windows, for topologies submitted by"
            + " another client than Eyewall's, and if a Supervisor of the cluster is not Eyewall's.");

    private static final List<Setting<?>> SETTINGS = List.of(WAKE_SETTING, ACKING_SETTING, HOT_SETTING);

    private final boolean wakeOnArrival;
    private final boolean wantsLedger;
    private final boolean hotRebalance;
    private final boolean agreed;

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
        agreed = topologyConf.containsKey(HOT_REBALANCE) && !ConfigUtils.isLocalMode(topologyConf);
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

    /** Whether the topology is to be acked by ledgers, if all its workers can. */
    public boolean wantsLedger() {
        return wantsLedger;
    }

    /** Whether executors are to change in workers that go on, if all workers can. */
    public boolean hotRebalance() {
        return hotRebalance;
    }

    /**
     * Whether executors change in the workers of this topology while they go on. A topology whose configuration does not say has come from
     * upstream's client, perhaps to workers of upstream's.
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
