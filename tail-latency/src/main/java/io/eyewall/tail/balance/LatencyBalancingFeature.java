package io.eyewall.tail.balance;

import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.client.time.NanoClock;
import io.eyewall.tail.auto.TechniqueSwitches;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Adds latency-based load balancing to a worker, if {@link BalancingConfiguration#BALANCING} is on or the worker is to switch it while it
 * runs. If techniques are switched automatically, it measures the figures for that, too.
 */
public final class LatencyBalancingFeature implements WorkerFeature {

    @Override
    public String name() {
        return "latency-balancing";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        BalancingConfiguration configuration = new BalancingConfiguration(topologyConf);
        TechniqueSwitches tail = TechniqueSwitches.of(seams, topologyConf);
        if (configuration.isOn() || tail.isAutomatic() || tail.takesOrders(BalancingConfiguration.BALANCING)) {
            new WorkerBalancing(configuration, tail, NanoClock.SYSTEM, new SplittableRandom()).join(seams);
        }
    }
}
