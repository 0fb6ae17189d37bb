package io.eyewall.core.nimbus;

import org.apache.storm.scheduler.IScheduler;

/** Decorates the scheduler of Nimbus, whichever {@code storm.scheduler} names. Nimbus finds it as a service. */
@FunctionalInterface
public interface SchedulerDecorator {

    /** A scheduler that hands on to this one, which is not prepared yet. */
    IScheduler decorate(IScheduler scheduler);
}
