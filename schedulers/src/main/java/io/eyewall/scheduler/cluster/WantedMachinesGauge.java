package io.eyewall.scheduler.cluster;

import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.storm.metric.StormMetricsRegistry;

/** The gauge of {@link ClusterView#wantedMachines}, 0 in a Nimbus that does not lead. Thread-safe. */
public final class WantedMachinesGauge {

    /** The gauge's name among Nimbus's metrics. */
    static final String NAME = "cluster:machines-wanted";

    private final LeaderFigure<Integer> machines;

    private WantedMachinesGauge(LeaderFigure<Integer> machines) {
        this.machines = machines;
    }

    /**
     * Registers the gauge, which is 0 until the first round.
     *
     * @param conf Nimbus's configuration
     * @param clockMs the time in milliseconds since 1970
     */
    public static WantedMachinesGauge register(StormMetricsRegistry metrics, Map<String, Object> conf, LongSupplier clockMs) {
        LeaderFigure<Integer> machines = new LeaderFigure<>(0, conf, clockMs);
        metrics.registerGauge(NAME, machines::get);
        return new WantedMachinesGauge(machines);
    }

    /** Sets what a round has found. */
    public void set(int wanted) {
        machines.set(wanted);
    }
}
