package io.eyewall.client.deadline;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.time.NanoClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.utils.JCQueue;

/**
 * What the executors of a worker share about deadlines: the clock, the targets, and what a tuple still costs from an operator on. Safe for
 * any thread.
 *
 * <p>A tuple that an operator is to execute must begin by the deadline of its message, minus what the operator and the most expensive path
 * behind it cost (Xu, equation 5.2: least laxity first). Each operator learns the costs behind it from its direct successors, one hop with
 * each measurement. Costs of operators that have no executor in this worker are unknown and count as 0.
 */
public final class Deadlines {

    /** How much of a measured cost goes into the mean: 1 of this. */
    private static final int WEIGHT = 16;
    /** Tuples with different targets have different lanes; those with the longest targets share the last one. */
    static final int LANES = 8;
    private static final String CHECKPOINTS = CheckpointSpout.CHECKPOINT_STREAM_ID;

    private static final long FARTHEST_NS = TimeUnit.DAYS.toNanos(1);

    private final NanoClock clock;
    private final long startedNs;
    private final Map<String, Integer> operators = new HashMap<>();
    private final List<int[]> successors = new ArrayList<>();
    private final long[] targetsNs;
    /** The different targets of all spouts, the shortest first. */
    private final long[] laneTargetsNs;
    /** The lanes whose tuples reach an operator, a bit for each. */
    private final int[] lanes;
    /** The bolts that get checkpoints, which no tuple may overtake. */
    private final Set<String> checkpointed;
    private final long leastTargetNs;
    private final AtomicLongArray costsNs;
    /** The cost of an operator and of the most expensive path behind it. */
    private final AtomicLongArray remainingNs;
    private final Map<JCQueue, Urgency> urgencies = new ConcurrentHashMap<>();

    private Deadlines(StormTopology topology, Map<String, Long> spoutTargetsMs, NanoClock clock) {
        this.clock = clock;
        // No time of this clock is 0, which stands for no deadline, also without its lowest bits.
        startedNs = clock.nanoTime() - LANES;
        Map<String, Set<String>> receivers = receivers(topology, spoutTargetsMs.keySet());
        receivers.keySet().forEach(component -> operators.put(component, operators.size()));
        operators.keySet().stream().sorted((a, b) -> operators.get(a) - operators.get(b)).forEach(component ->
            successors.add(receivers.get(component).stream().mapToInt(operators::get).toArray()));
        leastTargetNs = spoutTargetsMs.values().stream().mapToLong(TimeUnit.MILLISECONDS::toNanos).min().orElseThrow();
        targetsNs = new long[operators.size()];
        spoutTargetsMs.forEach((spout, targetMs) -> lowerTargets(operators.get(spout), TimeUnit.MILLISECONDS.toNanos(targetMs)));
        laneTargetsNs = spoutTargetsMs.values().stream().mapToLong(TimeUnit.MILLISECONDS::toNanos).distinct().sorted().toArray();
        lanes = new int[operators.size()];
        spoutTargetsMs.forEach((spout, targetMs) -> addLanes(operators.get(spout), 1 << lane(TimeUnit.MILLISECONDS.toNanos(targetMs))));
        checkpointed = checkpointed(topology);
        costsNs = new AtomicLongArray(operators.size());
        remainingNs = new AtomicLongArray(operators.size());
    }

    /** The deadlines of a topology, if a spout of it has a target. */
    public static Optional<Deadlines> of(StormTopology topology, Map<String, Object> topologyConf, NanoClock clock) {
        Map<String, Long> targetsMs = DeadlineConfiguration.targetsMs(topology, topologyConf);
        return targetsMs.isEmpty() ? Optional.empty() : Optional.of(new Deadlines(topology, targetsMs, clock));
    }

    /** How urgent the input of the executor with that queue is: one object for each queue. */
    public Urgency of(String component, JCQueue queue) {
        return urgencies.computeIfAbsent(queue, unknown -> new Urgency(this, operator(component)));
    }

    /** The probe of the executor with that queue. */
    ExecutorProbe probe(String component, JCQueue queue) {
        return new DeadlineProbe(this, of(component, queue), operator(component));
    }

    /** The index of a component, or -1 for those of Storm's. */
    int operator(String component) {
        return operators.getOrDefault(component, -1);
    }

    /** The wire of one serializer or deserializer. */
    TupleWire wire() {
        return new DeadlineWire(this);
    }

    /** The executor with that queue has left the worker. */
    void forget(JCQueue queue) {
        urgencies.remove(queue);
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
        long deadlineNs = (nowNs() + Math.max(-FARTHEST_NS, Math.min(leftNs, FARTHEST_NS))) & -LANES;
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

    /** Whether tuples with different targets reach a component, and may overtake each other there. */
    boolean needsLanes(String component) {
        int operator = operator(component);
        return operator >= 0 && Integer.bitCount(lanes[operator]) > 1 && !checkpointed.contains(component);
    }

    /**
     * The shortest target of the spouts whose tuples reach an operator; of all spouts for components of Storm's.
     *
     * @param operator its {@linkplain #operator index}
     */
    long targetNs(int operator) {
        return operator < 0 ? leastTargetNs : targetsNs[operator];
    }

    /** How much earlier than its deadline a tuple must begin at an operator, in nanoseconds. */
    long remainingNs(int operator) {
        return operator < 0 ? 0 : remainingNs.getOpaque(operator);
    }

    /** Learns what a tuple has cost at an operator. Executors of one operator may lose each other's measurements. */
    void executed(int operator, long tookNs) {
        if (operator >= 0) {
            long mean = costsNs.getOpaque(operator);
            long cost = mean == 0 ? tookNs : mean + (tookNs - mean) / WEIGHT;
            costsNs.setOpaque(operator, cost);
            long behind = 0;
            for (int successor : successors.get(operator)) {
                behind = Math.max(behind, remainingNs.getOpaque(successor));
            }
            remainingNs.setOpaque(operator, cost + behind);
        }
    }

    private void lowerTargets(int from, long targetNs) {
        Deque<Integer> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            int operator = open.pop();
            if (targetsNs[operator] == 0 || targetNs < targetsNs[operator]) {
                targetsNs[operator] = targetNs;
                for (int successor : successors.get(operator)) {
                    open.push(successor);
                }
            }
        }
    }

    private void addLanes(int from, int bits) {
        Deque<Integer> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            int operator = open.pop();
            if ((lanes[operator] | bits) != lanes[operator]) {
                lanes[operator] |= bits;
                for (int successor : successors.get(operator)) {
                    open.push(successor);
                }
            }
        }
    }

    private static Set<String> checkpointed(StormTopology topology) {
        Map<String, Bolt> bolts = topology.is_set_bolts() ? topology.get_bolts() : Map.of();
        return bolts.entrySet().stream().filter(bolt -> bolt.getValue().get_common().get_inputs().keySet().stream()
            .anyMatch(input -> CHECKPOINTS.equals(input.get_streamId()))).map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    /** The operators that each operator sends to, without those that would close a circle. */
    private static Map<String, Set<String>> receivers(StormTopology topology, Set<String> spouts) {
        Map<String, Set<String>> receivers = new HashMap<>();
        spouts.forEach(spout -> receivers.put(spout, new HashSet<>()));
        Map<String, Bolt> bolts = topology.is_set_bolts() ? topology.get_bolts() : Map.of();
        bolts.keySet().forEach(bolt -> receivers.put(bolt, new HashSet<>()));
        bolts.forEach((bolt, specification) -> {
            ComponentCommon common = specification.get_common();
            common.get_inputs().keySet().stream().map(input -> input.get_componentId()).filter(receivers::containsKey)
                .forEach(sender -> receivers.get(sender).add(bolt));
        });
        Set<String> done = new HashSet<>();
        List.copyOf(receivers.keySet()).forEach(component -> openCircles(component, receivers, new HashSet<>(), done));
        return receivers;
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
