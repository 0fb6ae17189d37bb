package io.eyewall.client.engine;

import io.eyewall.client.config.Setting;
import io.eyewall.client.config.SettingsGroup;
import io.eyewall.client.config.SettingsValidator;
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
        "Executors and the transfer thread wake when work arrives, and who has found a queue full when there is room; a queue whose"
            + " `topology.executor.receive.buffer.size` is at Storm's 32,768 has 8,192. Otherwise, and for one whose wait strategy is set"
            + " to another than Storm's default, they look for it in the intervals that the wait strategy gives.");

    private static final Setting<String> ACKING_SETTING = Setting.choice(ACKING, LEDGER, List.of(LEDGER, ACKER),
        "Where the trees of tuples are kept: in a ledger of each spout executor, or by Storm's ackers. A topology is submitted with `acker`"
            + " where a Supervisor of the cluster is not Eyewall's, and has ackers where it was submitted by another client than Eyewall's."
            + " With `topology.acker.executors: 0` nothing is acked either way.");

    private static final Setting<Boolean> HOT_SETTING = Setting.flag(HOT_REBALANCE, true,
        "Workers keep their processes when a rebalance changes their executors, and spouts emit meanwhile, but one that moves itself until"
            + " its messages are acked. Otherwise, for a topology with stateful windows, for one that was submitted by another client than"
            + " Eyewall's, and in a cluster with a Supervisor that is not Eyewall's, such a worker is restarted.");

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
