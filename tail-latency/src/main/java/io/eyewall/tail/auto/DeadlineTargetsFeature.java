package io.eyewall.tail.auto;

import io.eyewall.client.deadline.DeadlineConfiguration;
import io.eyewall.client.deadline.Deadlines;
import io.eyewall.client.seam.WorkerFeature;
import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.settings.tail.TechniqueOrders;
import java.util.Map;

/** Applies the deadline targets of spouts only while the cluster's scheduler orders it, in topologies where it switches techniques. */
public final class DeadlineTargetsFeature implements WorkerFeature {

    @Override
    public String name() {
        return "tail-deadline-targets";
    }

    @Override
    public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        TechniqueSwitches tail = TechniqueSwitches.of(seams, topologyConf);
        if (tail.takesOrders() && DeadlineConfiguration.differ(seams.topology(), topologyConf)) {
            seams.common(Deadlines.class)
                .ifPresent(deadlines -> deadlines.follow(tail.ordered(seams, TechniqueOrders.DEADLINES)::isOn));
        }
    }
}
