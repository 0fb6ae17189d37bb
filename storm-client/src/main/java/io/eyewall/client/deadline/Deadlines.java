package io.eyewall.client.deadline;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.time.NanoClock;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.windowing.TimestampExtractor;

/**
 * What the executors of a worker share about deadlines: the clock, the targets, and what a tuple still costs from an operator on. Safe for
 * any thread.
 *
 * <p>A tuple that an operator is to execute must begin by the deadline of its message, minus what the operator and the most expensive path
 * behind it cost (Xu, equation 5.2: least laxity first; see {@link DeadlinePolicy} for other orders). Each operator learns the costs behind
 * it from its direct successors, one hop with each measurement. Operators that have no executor in this worker cost what other workers
 * {@linkplain #learn report}, and 0 until then.
 *
 * <p>The indices of operators, and which successors count, follow from the names in the topology alone, and are the same in each worker.
 */
public final class Deadlines {

    /** How much of a measured cost goes into the mean: 1 of this. */
    private static final int WEIGHT = 16;
    /** Tuples with different targets have different lanes; those with the longest targets share the last one. */
    static final int LANES = 8;
    private static final String CHECKPOINTS = CheckpointSpout.CHECKPOINT_STREAM_ID;

    private static final long FARTHEST_NS = TimeUnit.DAYS.toNanos(1);
    private static final long NOT_MEASURED = 0;
    /** The index of the first operator in reports of costs. No task has such a number, and no other figure that workers report. */
    private static final int REPORTED = Integer.MIN_VALUE / 2;

    private final NanoClock clock;
    private final long startedNs;
    private final Map<String, DeadlineConfiguration> spouts;
    private final Map<String, Integer> operators = new HashMap<>();
    /** The operators behind each operator whose costs count there: its direct successors, without those that would close a circle. */
    private final List<int[]> behind;
    private final long[] targetsNs;
    /** The different targets of all spouts, the shortest first. */
    private final long[] laneTargetsNs;
    /** The lanes whose tuples reach an operator, a bit for each. */
    private final int[] lanes;
    /** The bolts that get checkpoints, which no tuple may overtake. */
    private final Set<String> checkpointed;
    /** After how long an operator's windows end at the latest; 0 for operators without windows that end by time. */
    private final long[] slidesNs;
    /** By how much the tuples of an operator's windows may be late. */
    private final long[] lagsMs;
    private final AtomicLongArray costsNs;
    /** The cost of an operator and of the most expensive path behind it. */
    private final AtomicLongArray remainingNs;
    private final DeadlinePolicy policy;
    /** How much earlier than its deadline a tuple begins at an operator. */
    private final AtomicLongArray leadsNs;
    private final Map<JCQueue, Urgency> urgencies = new ConcurrentHashMap<>();
    /** … and of the executors in this worker, by the numbers of their tasks. */
    private final Map<Integer, Urgency> urgenciesOfTasks = new ConcurrentHashMap<>();
    private final Set<Integer> reportedKeys;
    /** Written before executors start. */
    private BooleanSupplier inForce = () -> true;

    private Deadlines(StormTopology topology, Map<String, DeadlineConfiguration> spouts, DeadlinePolicy policy, NanoClock clock) {
        this.clock = clock;
        this.policy = policy;
        this.spouts = spouts;
        // No time of this clock is 0, which stands for no deadline, also without its lowest bits.
        startedNs = clock.nanoTime() - LANES;
        Map<String, Set<String>> receivers = receivers(topology, spouts.keySet());
        receivers.keySet().forEach(component -> operators.put(component, operators.size()));
        List<int[]> successors = indices(receivers);
        laneTargetsNs = spouts.values().stream().mapToLong(Deadlines::targetNs).distinct().sorted().toArray();
        targetsNs = new long[operators.size()];
        Arrays.fill(targetsNs, longestTargetNs());
        lanes = new int[operators.size()];
        spouts.forEach((spout, configuration) -> {
            long targetNs = targetNs(configuration);
            for (int operator : reached(operators.get(spout), successors)) {
                targetsNs[operator] = Math.min(targetsNs[operator], targetNs);
                lanes[operator] |= 1 << lane(targetNs);
            }
        });
        openCircles(receivers);
        behind = indices(receivers);
        checkpointed = checkpointed(topology);
        slidesNs = new long[operators.size()];
        lagsMs = new long[operators.size()];
        bolts(topology).forEach((bolt, specification) -> {
            if (!checkpointed.contains(bolt)) { // One with state has windows of another kind.
                Map<String, Object> conf = OwnConfiguration.of(specification.get_common());
                // Storm's windows end by time if they slide by time, and else while a tuple is executed.
                slidesNs[operators.get(bolt)] =
                    TimeUnit.MILLISECONDS.toNanos(durationMs(conf, Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS));
                lagsMs[operators.get(bolt)] = durationMs(conf, Config.TOPOLOGY_BOLTS_TUPLE_TIMESTAMP_MAX_LAG_MS);
            }
        });
        costsNs = new AtomicLongArray(operators.size());
        remainingNs = new AtomicLongArray(operators.size());
        leadsNs = new AtomicLongArray(operators.size());
        reportedKeys = operators.values().stream().map(operator -> REPORTED + operator).collect(Collectors.toUnmodifiableSet());
    }

    /** The deadlines of a topology, if a spout of it has a target. */
    public static Optional<Deadlines> of(StormTopology topology, Map<String, Object> topologyConf, NanoClock clock) {
        Map<String, DeadlineConfiguration> spouts = DeadlineConfiguration.ofSpouts(topology, topologyConf);
        return spouts.isEmpty() ? Optional.empty() : Optional.of(
            new Deadlines(topology, spouts, new DeadlineConfiguration(topologyConf).policy(), clock));
    }

    /** The order of executors, and the targets and tokens of spouts, in words that continue a sentence. */
    public String inWords() {
        return "by " + policy.word() + ". Targets of spouts: " + spouts.entrySet().stream().sorted(Map.Entry.comparingByKey())
            .map(spout -> spout.getKey() + " " + spout.getValue().targetMs() + " ms" + (spout.getValue().tokensPerSec() == 0 ? ""
                : " for " + spout.getValue().tokensPerSec() + " messages/s of each executor")).collect(Collectors.joining(", ")) + ".";
    }

    /**
     * Has targets apply only while that is so. While it is not, each message has the longest target of all spouts. Called before executors
     * start.
     *
     * @param targetsApply called for each message, by the thread that emits it
     */
    public void follow(BooleanSupplier targetsApply) {
        inForce = targetsApply;
    }

    /** Whether messages have the targets of their spouts, and not all the longest one. */
    boolean areInForce() {
        return inForce.getAsBoolean();
    }

    /** How urgent the input of the executor with that queue is: one object for each queue. */
    public Urgency of(String component, JCQueue queue) {
        return urgencies.computeIfAbsent(queue, unknown -> new Urgency(this, operator(component), tokens(component), queue));
    }

    /** The probe of the executor with those tasks and that queue. */
    ExecutorProbe probe(String component, List<Integer> tasks, JCQueue queue) {
        Urgency urgency = of(component, queue);
        tasks.forEach(task -> urgenciesOfTasks.put(task, urgency));
        return new DeadlineProbe(this, urgency, operator(component));
    }

    /** The windows of a task end by its tuples' own times, which that reads. */
    void dated(int task, TimestampExtractor timestamps) {
        Urgency urgency = urgenciesOfTasks.get(task);
        if (urgency != null) {
            urgency.dated(timestamps);
        }
    }

    /** The index of a component, or -1 for those of Storm's. */
    int operator(String component) {
        return operators.getOrDefault(component, -1);
    }

    /** The wire of one serializer or deserializer. */
    TupleWire wire() {
        return new DeadlineWire(this);
    }

    /** The executor with that queue has left the worker. If it was the last one of its operator here, only other workers know the cost. */
    void forget(JCQueue queue) {
        Urgency left = urgencies.remove(queue);
        urgenciesOfTasks.values().removeIf(each -> each == left);
        if (left != null && left.operator() >= 0 && urgencies.values().stream().noneMatch(each -> each.operator() == left.operator())) {
            costsNs.setOpaque(left.operator(), NOT_MEASURED);
        }
    }

    /** Nanoseconds since the worker started. */
    long nowNs() {
        return clock.nanoTime() - startedNs;
    }

    /**
     * The deadline of a message. Its lowest bits are the lane.
     *
     * @param leftNs how much time is left, in nanoseconds; negative if the message is late
     * @param lane the lane of its target
     */
    long deadlineNs(long leftNs, int lane) {
        // A sender may be mistaken, or an attacker: no deadline is so far away that sums overflow.
        return deadlineAtNs(nowNs() + Math.max(-FARTHEST_NS, Math.min(leftNs, FARTHEST_NS)), lane);
    }

    /** The deadline at a time of the worker's; see {@link #deadlineNs}. */
    long deadlineAtNs(long atNs, int lane) {
        long deadlineNs = atNs & -LANES;
        return (deadlineNs == 0 ? LANES : deadlineNs) | lane;
    }

    /** The lane of a tuple with that deadline, from 0 to {@link #LANES} - 1. */
    static int laneOf(long deadlineNs) {
        return (int) (deadlineNs & (LANES - 1));
    }

    /** The lane of a target, the shortest first. */
    int lane(long targetNs) {
        return Math.min(LANES - 1, Arrays.binarySearch(laneTargetsNs, targetNs));
    }

    /** The longest target of all spouts. */
    long longestTargetNs() {
        return laneTargetsNs[laneTargetsNs.length - 1];
    }

    /** The target of the tuples in a lane, the shortest of them. */
    long laneTargetNs(int lane) {
        return laneTargetsNs[Math.min(lane, laneTargetsNs.length - 1)];
    }

    /** After how long an operator's windows end at the latest; 0 if it has none that end by time. */
    long slideNs(int operator) {
        return operator < 0 ? 0 : slidesNs[operator];
    }

    /** The progress of the windows of one task of an operator whose windows end by time. */
    WindowProgress windowProgress(int operator) {
        return new WindowProgress(TimeUnit.NANOSECONDS.toMillis(slidesNs[operator]), lagsMs[operator]);
    }

    /** Whether tuples with different targets reach a component, and may overtake each other there. */
    boolean needsLanes(String component) {
        int operator = operator(component);
        return operator >= 0 && Integer.bitCount(lanes[operator]) > 1 && !checkpointed.contains(component);
    }

    /**
     * The shortest target of the spouts whose tuples reach an operator; the longest of all spouts if none does, and the shortest of all for
     * components of Storm's.
     *
     * @param operator its {@linkplain #operator index}
     */
    long targetNs(int operator) {
        return operator < 0 ? laneTargetsNs[0] : targetsNs[operator];
    }

    /** What a tuple costs at an operator and on the most expensive path behind it, in nanoseconds. */
    long remainingNs(int operator) {
        return operator < 0 ? 0 : remainingNs.getOpaque(operator);
    }

    /** How much earlier than its deadline a tuple begins at an operator, in nanoseconds; see {@link DeadlinePolicy}. */
    long leadNs(int operator) {
        return operator < 0 ? 0 : leadsNs.getOpaque(operator);
    }

    /** Learns what a tuple has cost at an operator. Executors of one operator may lose each other's measurements. */
    void executed(int operator, long tookNs) {
        if (operator >= 0) {
            long mean = costsNs.getOpaque(operator);
            long cost = mean == NOT_MEASURED ? tookNs : mean + (tookNs - mean) / WEIGHT;
            costsNs.setOpaque(operator, cost);
            long dearestNs = 0;
            for (int successor : behind.get(operator)) {
                dearestNs = Math.max(dearestNs, remainingNs.getOpaque(successor));
            }
            remainingNs.setOpaque(operator, cost + dearestNs);
            leadsNs.setOpaque(operator, policy.leadNs(cost, dearestNs, longestTargetNs()));
        }
    }

    /**
     * What tuples still cost from the operators of this worker on, in nanoseconds, for the workers that send to them (Xu, algorithm 5.1:
     * reply contexts). By keys that are no tasks.
     */
    Map<Integer, Double> report() {
        Map<Integer, Double> costs = new HashMap<>();
        for (int operator = 0; operator < costsNs.length(); operator++) {
            if (costsNs.getOpaque(operator) != NOT_MEASURED) {
                costs.put(REPORTED + operator, (double) remainingNs.getOpaque(operator));
            }
        }
        return costs;
    }

    /** The keys under which workers report costs. */
    Set<Integer> reportedKeys() {
        return reportedKeys;
    }

    /** Learns what other workers have reported: the highest cost that one of them has for each key. What this worker measures stays. */
    void learn(Map<Integer, Double> reported) {
        reported.forEach((key, costNs) -> {
            int operator = key - REPORTED;
            if (operator >= 0 && operator < costsNs.length() && costsNs.getOpaque(operator) == NOT_MEASURED && costNs >= 0) {
                long remaining = (long) Math.min(costNs, (double) FARTHEST_NS);
                remainingNs.setOpaque(operator, remaining);
                leadsNs.setOpaque(operator, policy.leadNs(NOT_MEASURED, remaining, longestTargetNs()));
            }
        });
    }

    private Tokens tokens(String component) {
        DeadlineConfiguration spout = spouts.get(component);
        return spout == null || spout.tokensPerSec() == 0 ? Tokens.UNLIMITED
            : new Tokens(spout.tokensPerSec(), TimeUnit.MILLISECONDS.toNanos(spout.othersMs()));
    }

    private static long durationMs(Map<String, Object> conf, String key) {
        return conf.get(key) instanceof Number ms ? Math.max(0, ms.longValue()) : 0;
    }

    private static Map<String, Bolt> bolts(StormTopology topology) {
        return topology.is_set_bolts() ? topology.get_bolts() : Map.of();
    }

    private static long targetNs(DeadlineConfiguration spout) {
        return TimeUnit.MILLISECONDS.toNanos(spout.targetMs());
    }

    private List<int[]> indices(Map<String, Set<String>> receivers) {
        return receivers.values().stream().map(components -> components.stream().mapToInt(operators::get).toArray()).toList();
    }

    /** The operators that tuples of a spout reach, itself included. */
    private static Set<Integer> reached(int spout, List<int[]> successors) {
        Set<Integer> reached = new HashSet<>(Set.of(spout));
        Deque<Integer> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (int successor : successors.get(open.pop())) {
                if (reached.add(successor)) {
                    open.push(successor);
                }
            }
        }
        return reached;
    }

    private static Set<String> checkpointed(StormTopology topology) {
        return bolts(topology).entrySet().stream().filter(bolt -> bolt.getValue().get_common().get_inputs().keySet().stream()
            .anyMatch(input -> CHECKPOINTS.equals(input.get_streamId()))).map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    /** The operators that each operator sends to, first those of spouts. In the same order in each worker. */
    private static Map<String, Set<String>> receivers(StormTopology topology, Set<String> spouts) {
        Map<String, Set<String>> receivers = new LinkedHashMap<>();
        new TreeSet<>(spouts).forEach(spout -> receivers.put(spout, new TreeSet<>()));
        Map<String, Bolt> bolts = bolts(topology);
        new TreeSet<>(bolts.keySet()).forEach(bolt -> receivers.put(bolt, new TreeSet<>()));
        bolts.forEach((bolt, specification) -> {
            ComponentCommon common = specification.get_common();
            common.get_inputs().keySet().stream().map(input -> input.get_componentId()).filter(receivers::containsKey)
                .forEach(sender -> receivers.get(sender).add(bolt));
        });
        return receivers;
    }

    /** Removes the edges that lead back to an operator on a path from a spout. Each operator that a spout reaches stays reached. */
    private static void openCircles(Map<String, Set<String>> receivers) {
        Set<String> done = new HashSet<>();
        receivers.keySet().forEach(component -> openCircles(component, receivers, new HashSet<>(), done));
    }

    private static void openCircles(String component, Map<String, Set<String>> receivers, Set<String> path, Set<String> done) {
        if (done.contains(component)) {
            return;
        }
        path.add(component);
        receivers.get(component).removeAll(path);
        List.copyOf(receivers.get(component)).forEach(receiver -> openCircles(receiver, receivers, path, done));
        path.remove(component);
        done.add(component);
    }
}
