package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.slot.ParentContainer;
import io.eyewall.client.stream.wire.InstanceStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.NodeInfo;

/**
 * The tasks that run in other containers, by their reports. They must not be started in this one. A silent container counts here until its
 * processes have certainly ended, which is longer than tuples are routed to it, whether or not it is in the plan. Without a
 * clock; used by one thread.
 */
final class TasksOfOtherContainers {

    /**
     * Until the processes of a container that has died have ended. It had reported at most a second before. The first report of each other
     * container is awaited for as long, since a container that does not report may have died just now.
     */
    static final long SILENT_NS = TimeUnit.SECONDS.toNanos(ParentContainer.END_SECS + 2);

    private final Map<NodeInfo, Report> reports = new HashMap<>();
    private boolean hasBegun;
    private long sinceNs;
    private boolean isKnown;

    /** What a container has reported last. */
    private record Report(Set<Integer> tasks, long atNs) {
    }

    /** A container reports its tasks. */
    void reported(NodeInfo container, InstanceStatus status, long nowNs) {
        Set<Integer> tasks = new TreeSet<>(status.tasks());
        tasks.addAll(status.moves().leaving());
        tasks.addAll(status.moves().claimed());
        reports.put(container, new Report(tasks, nowNs));
    }

    /**
     * The tasks of other containers. Empty while too little is known to start an instance: from the first call on until each
     * of these containers has reported, or for {@link #SILENT_NS}.
     *
     * @param others the other containers
     */
    Optional<Set<Integer>> tasks(Set<NodeInfo> others, long nowNs) {
        if (!hasBegun) {
            hasBegun = true;
            sinceNs = nowNs;
        }
        reports.values().removeIf(report -> nowNs - report.atNs > SILENT_NS);
        isKnown |= reports.keySet().containsAll(others) || nowNs - sinceNs >= SILENT_NS;
        if (!isKnown) {
            return Optional.empty();
        }
        Set<Integer> all = new TreeSet<>();
        reports.values().forEach(report -> all.addAll(report.tasks()));
        return Optional.of(all);
    }
}
