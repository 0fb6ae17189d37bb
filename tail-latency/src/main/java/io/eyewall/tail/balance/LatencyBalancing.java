package io.eyewall.tail.balance;

import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Latency-based load balancing joins a worker here: {@link BalancingConfiguration#BALANCING} switches it on and off.
 */
public final class LatencyBalancing implements WorkerFeature {

    @Override
    public String name() {
        return "latency-balancing";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        BalancingConfiguration configuration = new BalancingConfiguration(topologyConf);
        if (configuration.isOn()) {
            new WorkerBalancing(configuration, System::nanoTime, new SplittableRandom()).join(seams);
        }
    }
}
