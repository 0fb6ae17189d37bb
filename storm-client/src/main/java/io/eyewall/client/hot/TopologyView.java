package io.eyewall.client.hot;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * A worker's knowledge of its topology: the worker that Nimbus has assigned to each task, and the announcements of the other workers.
 * Decides where tuples go and when a task may move. Pure.
 *
 * <p>A task runs in one worker at a time. The worker that gets it makes a queue and <em>awaits</em> the task. Then the worker that has it
 * stops <em>serving</em> it, so that all workers send to the new one, and <em>holds</em> it until it has executed the tuples that it had
 * taken. Only then does the new worker run it.
 *
 * @param here this worker
 * @param assigned the worker that Nimbus has assigned to each task
 * @param others the announcements of the other workers
 */
record TopologyView(WorkerPlace here, Map<Integer, WorkerPlace> assigned, Map<WorkerPlace, Announcement> others) {

    /**
     * Where the tuples of each task go: to the worker that serves it or, if no worker does, to the assigned one. While the assigned one
     * cannot be reached, or departs because it has not read the assignment yet, they go where they went before, and that worker forwards
     * them as soon as it can. This worker keeps them in three cases: if it is that earlier worker, if they could go only to a worker that
     * departs, and if the task is about to move and the worker that serves it cannot be reached. In the last case the task may be a spout
     * that waits for them before it moves.
     *
     * @param served the tasks that this worker serves
     * @param before what this method returned last
     * @param reachable whether there is a connection to a worker; not called for this one
     */
    Map<Integer, WorkerPlace> homes(Collection<Integer> served, Map<Integer, WorkerPlace> before, Predicate<WorkerPlace> reachable) {
        Predicate<WorkerPlace> usable = place -> place.equals(here) || (!departs(place) && reachable.test(place));
        Map<Integer, WorkerPlace> servers = new HashMap<>();
        others.forEach((place, announcement) -> {
            if (usable.test(place)) {
                announcement.serves().forEach(task -> servers.merge(task, place,
                    (one, other) -> other.equals(assigned.get(task)) ? other : one));
            }
        });
        Map<Integer, WorkerPlace> homes = new HashMap<>();
        assigned.forEach((task, place) -> {
            WorkerPlace last = before.get(task);
            if (served.contains(task)) {
                homes.put(task, here);
            } else if (servers.containsKey(task)) {
                homes.put(task, servers.get(task));
            } else if (isServedElsewhere(task)) {
                homes.put(task, here);
            } else if (!usable.test(place) && last != null && usable.test(last)) {
                homes.put(task, last);
            } else {
                homes.put(task, departs(place) || (last != null && departs(last)) ? here : place);
            }
        });
        return homes;
    }

    /** Whether the tasks, which this worker runs, have somewhere to go. */
    boolean mayLeave(Collection<Integer> tasks, Predicate<WorkerPlace> reachable) {
        return tasks.stream().allMatch(task -> {
            WorkerPlace place = assigned.get(task);
            return place != null && (place.equals(here)
                || (others.containsKey(place) && others.get(place).takes(task) && reachable.test(place)));
        });
    }

    /** Whether no other worker runs one of the tasks, or awaits it by an older or a newer assignment. */
    boolean mayStart(Collection<Integer> tasks) {
        return others.values().stream()
            .noneMatch(announcement -> tasks.stream().anyMatch(task -> announcement.runs(task) || announcement.takes(task)));
    }

    /** Whether a worker other than the assigned one serves a task. */
    boolean isServedElsewhere(int task) {
        return others.entrySet().stream()
            .anyMatch(other -> other.getValue().serves().contains(task) && !other.getKey().equals(assigned.get(task)));
    }

    /** Whether another worker has nothing to run. */
    boolean anyDeparts() {
        return others.keySet().stream().anyMatch(this::departs);
    }

    private boolean departs(WorkerPlace place) {
        return others.containsKey(place) && others.get(place).departure() != 0;
    }

    /** Whether another worker waits for the checkpoint spout to rest. */
    boolean anyAsks() {
        return others.values().stream().anyMatch(Announcement::asks);
    }

    /** Whether the checkpoint spout rests in another worker. */
    boolean anyRests() {
        return others.values().stream().anyMatch(Announcement::rests);
    }

    /** Whether one of these tasks is moving: a worker executes the last tuples for it, or it is assigned and no worker serves it. */
    boolean anyOnTheWay(Announcement mine, IntPredicate task) {
        Set<Announcement> all = new HashSet<>(others.values());
        all.add(mine);
        return all.stream().flatMap(one -> one.holds().stream()).anyMatch(task::test)
            || assigned.keySet().stream().filter(task::test).anyMatch(
                one -> all.stream().noneMatch(worker -> worker.serves().contains(one)));
    }
}
