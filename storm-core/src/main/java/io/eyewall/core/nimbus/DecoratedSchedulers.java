package io.eyewall.core.nimbus;

import java.util.ServiceLoader;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.blacklist.BlacklistScheduler;

/** The seam <em>scheduler</em>: what Nimbus calls where upstream wraps its scheduler in the one that blacklists hosts. */
public final class DecoratedSchedulers {

    private DecoratedSchedulers() {
    }

    /** A blacklisting scheduler around the decorated one. */
    public static BlacklistScheduler blacklisting(IScheduler scheduler) {
        IScheduler decorated = scheduler;
        for (SchedulerDecorator decorator : ServiceLoader.load(SchedulerDecorator.class)) {
            decorated = decorator.decorate(decorated);
        }
        return new BlacklistScheduler(decorated);
    }
}
