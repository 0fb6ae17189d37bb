package io.eyewall.client.hot;

import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.QueueRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.Constants;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.tuple.AddressedTuple;

/**
 * A cluster whose executors move while queues are full, from a seed: a topology on up to four workers, assignments that change again before
 * the last change is over, and what may happen meanwhile.
 *
 * <p>Found at once: a tuple that is executed twice or by the wrong executor, a task that is open in two workers, tuples of a task for
 * another that change places while neither moves. Found at the end: a tuple that was lost, a move that does not end, a queue that does not
 * drain.
 */
final class Simulation {

    /** What happens beside moves. */
    enum Faults {
        /** Nothing. */
        NONE,
        /** Processes pause, for less than a session lasts, and ZooKeeper serves nobody for a while. */
        PAUSES,
        /**
         * Workers lose their sessions, and connections break: a task may be open in two workers for a while, and what the one holds that is
         * ended is lost, as is what a connection holds.
         */
        LOST_SESSIONS,
        /** Workers are killed: what they hold is lost. */
        DEATHS
    }

    /** Makes the queue of an executor. */
    @FunctionalInterface
    interface Queues {
        WakingQueue make(SimWorker worker, QueueRequest request);
    }

    private static final int CHANGES = 4;
    private static final long SETTLES_NS = 900 * SimSchedule.SECOND;
    private static final long BESIDE_AT_MOST_NS = 25 * SimSchedule.SECOND;
    /** Between two pauses, so that they do not add up to the end of a session. */
    private static final long UNDISTURBED_NS = 3 * SimSchedule.SECOND;
    private static final int LOG_LINES = 400;

    /** The seeds that tests play, unless they say otherwise. */
    static final long FIRST_SEED = Long.getLong("eyewall.simulation.first", 1);
    static final long SEEDS = Long.getLong("eyewall.simulation.seeds", 30);

    final Random random;
    final SimSchedule schedule;
    final SimZooKeeper zooKeeper;
    final SimPlan plan;
    final Mutation mutation;
    final Queues queues;

    private final long seed;
    private final Faults faults;
    private final SimSchedule.SimProcess cluster = new SimSchedule.SimProcess("cluster");
    private final List<WorkerPlace> places = new ArrayList<>();
    private final Map<WorkerPlace, SimWorker> workers = new HashMap<>();
    private final Map<WorkerPlace, Set<List<Long>>> current = new HashMap<>();
    private final Set<SimWorker> marked = new HashSet<>();
    private final Map<Integer, Integer> emitted = new HashMap<>();
    private final Map<List<Integer>, Long> nextOrder = new HashMap<>();
    private final Map<List<Integer>, Long> lastOrder = new HashMap<>();
    private final Set<Long> relayed = new HashSet<>();
    private final Set<Long> sunk = new HashSet<>();
    private final Set<Long> acked = new HashSet<>();
    private final Set<SimExecutor> open = new HashSet<>();
    private final Set<Integer> moved = new HashSet<>();
    private final Map<Integer, Long> besideSinceNs = new HashMap<>();
    private final Deque<String> log = new ArrayDeque<>();
    private final boolean endsInactive;
    private boolean active = true;
    private int changesLeft;
    private long changedAtNs;
    private int failures;
    private int starts;

    /** A simulation of that seed. */
    Simulation(long seed, Faults faults, Mutation mutation, boolean shared, Queues queues) {
        this.seed = seed;
        random = new Random(seed);
        this.faults = faults;
        this.mutation = mutation;
        this.queues = queues;
        schedule = new SimSchedule(random);
        zooKeeper = new SimZooKeeper(schedule, random);
        plan = SimPlan.of(random, shared);
        for (int host = 0; host < 2 + random.nextInt(3); host++) {
            places.add(new WorkerPlace("host" + host, 1));
        }
        changesLeft = 1 + random.nextInt(CHANGES);
        endsInactive = random.nextInt(4) == 0;
    }

    /**
     * Plays it to its end, at which everything has been executed and every move is over.
     *
     * @throws AssertionError if anything is found, with the seed
     */
    void play() {
        try {
            playToTheEnd();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("Seed " + seed + " with " + faults + " fails: " + e.getMessage(), e);
        }
    }

    private void playToTheEnd() {
        assign();
        places.forEach(place -> schedule.start(cluster, () -> supervise(place)));
        schedule.start(cluster, () -> {
            zooKeeper.expire();
            checkTwoInstances();
            return SimSchedule.SECOND;
        });
        schedule.later(cluster, 5 * SimSchedule.SECOND, () -> schedule.start(cluster, this::change));
        schedule.start(cluster, this::disturb);
        if (random.nextInt(3) == 0 && !plan.acks()) { // A message that is pending meanwhile may fail.
            schedule.later(cluster, random.nextInt(30) * SimSchedule.SECOND, () -> setActive(changesLeft == 0));
            schedule.later(cluster, (30 + random.nextInt(60)) * SimSchedule.SECOND, () -> setActive(changesLeft > 0 || active));
        }
        long checkedAtNs = 0;
        while (true) {
            schedule.step();
            if (schedule.nowNs() - checkedAtNs > SimSchedule.SECOND) {
                checkedAtNs = schedule.nowNs();
                if (isSettled()) {
                    break;
                }
                if (changesLeft == 0 && !active && areAllWhereAssigned()) {
                    setActive(true); // What has moved meanwhile does nothing before that.
                }
                if (schedule.nowNs() - changedAtNs > SETTLES_NS) {
                    fail("It does not settle: " + unsettled());
                }
            }
        }
        checkCounts();
    }

    private boolean isExact() {
        return faults == Faults.NONE || faults == Faults.PAUSES;
    }

    // Nimbus and the Supervisors.

    private void assign() {
        List<WorkerPlace> used = new ArrayList<>(places);
        Collections.shuffle(used, random);
        used = used.subList(0, 1 + random.nextInt(used.size()));
        Map<List<Long>, NodeInfo> executors = new HashMap<>();
        for (List<Integer> tasks : plan.components()) {
            int first = tasks.get(0);
            while (first <= tasks.get(tasks.size() - 1)) {
                int last = Math.min(tasks.get(tasks.size() - 1), first + random.nextInt(2));
                executors.put(List.of((long) first, (long) last), used.get(random.nextInt(used.size())).nodeInfo());
                first = last + 1;
            }
        }
        Assignment assignment = new Assignment();
        assignment.set_executor_node_port(executors);
        Map<String, String> hosts = new HashMap<>();
        places.forEach(place -> hosts.put(place.node(), place.node()));
        assignment.set_node_host(hosts);
        Assignment last = zooKeeper.assignment();
        if (last != null) {
            executors.forEach((executor, node) -> {
                if (!node.equals(last.get_executor_node_port().get(executor))) {
                    moved.addAll(StormCommon.executorIdToTasks(executor));
                }
            });
        }
        zooKeeper.assign(assignment);
        changedAtNs = schedule.nowNs();
        log("Nimbus assigns " + new TreeMap<>(names(executors)));
    }

    private static Map<String, String> names(Map<List<Long>, NodeInfo> executors) {
        Map<String, String> names = new HashMap<>();
        executors.forEach((executor, node) -> names.put(executor.toString(), node.get_node()));
        return names;
    }

    private long change() {
        if (changesLeft == 0) {
            return SimSchedule.ENDS;
        }
        if (changesLeft == 1 && endsInactive) {
            if (!haveSpoutsEmitted() || (plan.acks() && isExact() && acked.size() < plan.spouts() * plan.messages())) {
                return SimSchedule.SECOND;
            }
            setActive(false);
        }
        changesLeft--;
        assign();
        return (random.nextInt(3) == 0 ? random.nextInt(500) : random.nextInt(20_000)) * SimSchedule.MS;
    }

    /** The topology is activated, or deactivated. */
    private void setActive(boolean next) {
        active = next;
        log("The topology is " + (next ? "active" : "inactive"));
    }

    private boolean haveSpoutsEmitted() {
        return plan.components().get(0).stream().allMatch(spout -> emitted.getOrDefault(spout, 0) == plan.messages());
    }

    private Set<List<Long>> assigned(WorkerPlace place) {
        return place.executors(zooKeeper.assignment());
    }

    /** What the Supervisor of a place does with its slot. */
    private long supervise(WorkerPlace place) {
        long againNs = (random.nextBoolean() ? 1 + random.nextInt(20) : 200 + random.nextInt(2_800)) * SimSchedule.MS;
        Set<List<Long>> next = assigned(place);
        SimWorker worker = workers.get(place);
        if (worker == null || worker.process().isDead()) {
            if (!next.isEmpty()) {
                SimWorker launched = new SimWorker(this, place, place.node() + "#" + ++starts);
                workers.put(place, launched);
                current.put(place, next);
                log(launched + " is launched for " + next);
                launched.start();
            }
            return againNs;
        }
        if (!worker.hasStarted()) {
            current.put(place, next); // It reads that itself.
            return againNs;
        }
        if (worker.isMovable()) {
            marked.add(worker);
        }
        boolean changed = !next.equals(current.get(place));
        if (changed && !worker.isMovable() && marked.contains(worker)) {
            kill(worker, "its Supervisor ends it, for it cannot change");
        } else if (worker.isMovable() && !worker.mayFollow(next)) {
            kill(worker, "its Supervisor ends it, for it does not read its assignment");
        } else if (!next.isEmpty()) {
            current.put(place, next);
        }
        return againNs;
    }

    /** A worker ends itself. */
    void ended(SimWorker worker, String reason) {
        kill(worker, reason);
    }

    private void kill(SimWorker worker, String reason) {
        log(worker + " ends, because " + reason + (worker.isEmpty() ? "" : "; it holds tuples"));
        worker.process().die();
        open.removeIf(executor -> executor.worker() == worker);
    }

    private long disturb() {
        List<SimWorker> alive = workers.values().stream().filter(worker -> !worker.process().isDead()).toList();
        long againNs = (500 + random.nextInt(10_000)) * SimSchedule.MS;
        if (faults == Faults.NONE || changesLeft <= (endsInactive ? 1 : 0)) {
            return SimSchedule.ENDS;
        }
        if (!alive.isEmpty()) {
            SimWorker worker = alive.get(random.nextInt(alive.size()));
            long forNs = (100 + random.nextInt(faults == Faults.LOST_SESSIONS ? 60_000 : 9_000)) * SimSchedule.MS;
            switch (faults) {
                case PAUSES -> {
                    if (random.nextInt(4) == 0) {
                        zooKeeper.stall(forNs);
                    } else {
                        worker.process().pauseUntil(schedule.nowNs() + forNs);
                    }
                    log(worker + " pauses, or ZooKeeper does, for " + forNs / SimSchedule.MS + " ms");
                    againNs += forNs + UNDISTURBED_NS;
                }
                case LOST_SESSIONS -> {
                    worker.breakLink();
                    if (random.nextBoolean()) {
                        worker.zooKeeper().cutOff(forNs);
                    } else {
                        worker.process().pauseUntil(schedule.nowNs() + forNs);
                    }
                    log(worker + " loses a connection, and is cut off or pauses for " + forNs / SimSchedule.MS + " ms");
                }
                case DEATHS -> kill(worker, "it is killed");
                default -> throw new IllegalStateException(faults.name());
            }
        }
        return againNs;
    }

    // What the workers ask and report.

    /** The worker at a place, whether or not it takes connections yet. */
    SimWorker workerAt(WorkerPlace place) {
        SimWorker worker = workers.get(place);
        return worker == null || worker.process().isDead() ? null : worker;
    }

    boolean isActive() {
        return active;
    }

    long nextMessage(int spout) {
        int number = emitted.merge(spout, 1, Integer::sum);
        if (number > plan.messages()) {
            emitted.put(spout, plan.messages());
            return -1;
        }
        return plan.message(spout, number);
    }

    long nextOrder(int source, int target) {
        return nextOrder.merge(List.of(source, target), 1L, Long::sum);
    }

    void opened(SimExecutor executor) {
        for (SimExecutor other : open) {
            if (isExact() && executor.id().get(0) >= 0 && !Collections.disjoint(other.tasks(), executor.tasks())) {
                fail(executor.describe() + " begins while " + other.describe() + " is open");
            }
        }
        open.add(executor);
        log(executor.describe() + " begins");
    }

    /** An executor starts in a worker that has others, or has had none: what came before has taken a detour. */
    void comesLater(List<Long> executor) {
        moved.addAll(StormCommon.executorIdToTasks(executor));
    }

    void closed(SimExecutor executor) {
        open.remove(executor);
        log(executor.describe() + " has cleaned up");
    }

    void executed(SimExecutor executor, int source, int task, long message, long order, boolean relays) {
        if (!(relays ? relayed : sunk).add(message)) {
            fail(message + " is executed twice, now by " + executor.describe());
        }
        long last = lastOrder.merge(List.of(source, task), order, Math::max);
        if (last > order && isExact() && !plan.shared() && !moved.contains(source) && !moved.contains(task)) {
            fail(message + " of task " + source + " comes out of order to " + executor.describe());
        }
    }

    void acked(long message) {
        if (!acked.add(message)) {
            fail(message + " is acked twice");
        }
    }

    void failed(long message) {
        failures++;
        log(message + " fails");
    }

    void dropped(AddressedTuple tuple, String reason) {
        log("A tuple for task " + tuple.dest + " is dropped: " + reason);
        if (isExact()) {
            fail("A tuple for task " + tuple.dest + " is dropped: " + reason);
        }
    }

    void diedWith(AddressedTuple tuple, SimLink link) {
        if (tuple != null) {
            log("A tuple for task " + tuple.dest + " is lost with the connection from " + link);
        }
    }

    void log(String line) {
        log.add(schedule.nowNs() / SimSchedule.MS + " ms: " + line);
        if (log.size() > LOG_LINES) {
            log.remove();
        }
    }

    // What has to hold.

    private void checkTwoInstances() {
        Map<Integer, SimExecutor> byTask = new HashMap<>();
        Set<Integer> twice = new HashSet<>();
        for (SimExecutor executor : open) {
            if (executor.emits() && executor.worker().process().pausedUntilNs() <= schedule.nowNs()) {
                executor.tasks().stream().filter(task -> task > 0 && byTask.put(task, executor) != null).forEach(twice::add);
            }
        }
        besideSinceNs.keySet().retainAll(twice);
        for (int task : twice) {
            if (schedule.nowNs() - besideSinceNs.computeIfAbsent(task, first -> schedule.nowNs()) > BESIDE_AT_MOST_NS) {
                fail("Task " + task + " has been open in two workers for " + BESIDE_AT_MOST_NS / SimSchedule.SECOND + " s");
            }
        }
    }

    private boolean areAllWhereAssigned() {
        return places.stream().allMatch(place -> {
            SimWorker worker = workerAt(place);
            return worker == null ? assigned(place).isEmpty() : worker.running().equals(assigned(place));
        });
    }

    private boolean isSettled() {
        return changesLeft == 0 && unsettled().isEmpty();
    }

    /** What is still to be done. */
    private List<String> unsettled() {
        List<String> unsettled = new ArrayList<>();
        for (WorkerPlace place : places) {
            Set<List<Long>> assigned = assigned(place);
            SimWorker worker = workerAt(place);
            if (worker == null ? !assigned.isEmpty() : assigned.isEmpty()) {
                unsettled.add(worker == null ? "nothing runs at " + place : worker + " has not ended");
            } else if (worker != null && !worker.running().equals(assigned)) {
                unsettled.add(worker + " runs " + worker.running());
            } else if (worker != null && !worker.isEmpty()) {
                unsettled.add(worker + " holds tuples, " + worker.backlog() + " of them to be sent on");
            } else if (worker != null && !places.stream().allMatch(other -> assigned(other).stream().allMatch(
                executor -> worker.finds(executor, other)))) {
                unsettled.add(worker + " has another placement");
            }
        }
        for (int spout : plan.components().get(0)) {
            if (emitted.getOrDefault(spout, 0) < plan.messages()) {
                unsettled.add("spout " + spout + " has emitted " + emitted.get(spout));
            }
        }
        for (SimExecutor executor : open) {
            if (executor.id().get(0) >= 0 && (!executor.isEmpty() || !assigned(executor.worker().here()).contains(executor.id()))) {
                if (!executor.isSpout() || isExact() || executor.queue().size() > 0) {
                    unsettled.add(executor + " is open");
                }
            }
        }
        return unsettled;
    }

    private void checkCounts() {
        if (!isExact()) {
            return;
        }
        int all = plan.spouts() * plan.messages();
        if (relayed.size() != all || sunk.size() != all) {
            fail("Of " + all + " messages " + relayed.size() + " came to relays, and " + sunk.size() + " to sinks");
        }
        if (plan.acks() && (acked.size() != all || failures > 0)) {
            fail("Of " + all + " messages " + acked.size() + " were acked, and " + failures + " failed");
        }
        if (open.stream().anyMatch(executor -> executor.id().equals(Constants.SYSTEM_EXECUTOR_ID)
                && executor.worker().process().isDead())) {
            fail("A worker that has died still counts");
        }
    }

    private void fail(String reason) {
        throw new AssertionError(reason + "\n" + plan + "\n" + String.join("\n", log));
    }
}
