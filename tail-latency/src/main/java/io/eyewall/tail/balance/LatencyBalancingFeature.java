package io.eyewall.tail.balance;

import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.settings.tail.BalancingConfiguration;
import io.eyewall.client.time.NanoClock;
import io.eyewall.tail.auto.TechniqueSwitches;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Latency-based load balancing joins a worker here: {@link BalancingConfiguration#BALANCING} switches it on and off. Its figures are also
 * those by which other techniques are switched while the worker runs.
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
        if (configuration.isOn() || tail.isAutomatic()) {
            new WorkerBalancing(configuration, tail, NanoClock.SYSTEM, new SplittableRandom()).join(seams);
        }
    }
}
