package io.eyewall.scheduler;

import io.eyewall.core.nimbus.SchedulerDecorator;
import io.eyewall.scheduler.cluster.BackgroundPlanningScheduler;
import io.eyewall.scheduler.drain.DrainingScheduler;
import io.eyewall.scheduler.rebalance.TaskKeepingScheduler;
import org.apache.storm.scheduler.IScheduler;

/**
 * The service by which Nimbus finds what goes around its scheduler: what leaves tasks where they are in a rebalance, and around that what
 * empties Supervisors. Schedulers with plans of their own leave tasks themselves where no plan moves them.
 */
public final class NimbusDecorator implements SchedulerDecorator {

    @Override
    public IScheduler decorate(IScheduler scheduler) {
        IScheduler keeping = scheduler instanceof BackgroundPlanningScheduler ? scheduler : new TaskKeepingScheduler(scheduler);
        return new DrainingScheduler(keeping, DrainingScheduler.obstacle(scheduler));
    }
}
