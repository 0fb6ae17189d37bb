package io.eyewall.client.deadline;

import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.settings.OwnConfiguration;
import io.eyewall.client.time.NanoClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.Config;
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
 * <p>The {@linkplain OperatorGraph indices of operators} are the same in each worker.
 */
public final class Deadlines {

    /** How much of a measured cost goes into the mean: 1 of this. */
    private static final int WEIGHT = 16;
    private static final long FARTHEST_NS = TimeUnit.DAYS.toNanos(1);
    private static final long NOT_MEASURED = 0;
    /** The index of the first operator in reports of costs. No task has such a number, and no other figure that workers report. */
    private static final int REPORTED = Integer.MIN_VALUE / 2;

    private final NanoClock clock;
    private final long startedNs;
    /** Null unless the policy is that of fair shares. */
    private final Shares shares;
    private final Map<String, SpoutTargets> spouts;
    private final OperatorGraph operators;
    private final Lanes lanes;
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

    private Deadlines(StormTopology topology, Map<String, SpoutTargets> spouts, DeadlinePolicy policy, NanoClock clock) {
        this.clock = clock;
        this.policy = policy;
        this.spouts = spouts;
        // No time of this clock is 0, which stands for no deadline, also without its lowest bits.
        startedNs = clock.nanoTime() - Lanes.MOST;
        operators = new OperatorGraph(topology, spouts.keySet());
        lanes = new Lanes(operators, spouts, policy);
        shares = !policy.sharesByTokens() ? null
            : new Shares(spouts.values().stream().mapToLong(SpoutTargets::tokensPerSec).max().orElseThrow());
        slidesNs = new long[operators.size()];
        lagsMs = new long[operators.size()];
        operators.bolts().forEach((bolt, specification) -> {
            // One with state has windows of another kind. With shares, tuples do not wait for windows.
            if (!operators.isCheckpointed(bolt) && shares == null) {
                Map<String, Object> conf = OwnConfiguration.of(specification.get_common());
                // Storm's windows end by time if they slide by time, and else while a tuple is executed.
                slidesNs[operators.index(bolt)] =
                    TimeUnit.MILLISECONDS.toNanos(durationMs(conf, Config.TOPOLOGY_BOLTS_SLIDING_INTERVAL_DURATION_MS));
                lagsMs[operators.index(bolt)] = durationMs(conf, Config.TOPOLOGY_BOLTS_TUPLE_TIMESTAMP_MAX_LAG_MS);
            }
        });
        costsNs = new AtomicLongArray(operators.size());
        remainingNs = new AtomicLongArray(operators.size());
        leadsNs = new AtomicLongArray(operators.size());
        reportedKeys = IntStream.range(0, operators.size()).mapToObj(operator -> REPORTED + operator)
            .collect(Collectors.toUnmodifiableSet());
    }

    /** The deadlines of a topology, if there are any: see {@link DeadlineConfiguration#ofSpouts}. */
    public static Optional<Deadlines> of(StormTopology topology, Map<String, Object> topologyConf, NanoClock clock) {
        Map<String, SpoutTargets> spouts = DeadlineConfiguration.ofSpouts(topology, topologyConf);
        return spouts.isEmpty() ? Optional.empty() : Optional.of(
            new Deadlines(topology, spouts, new DeadlineConfiguration(topologyConf).policy(), clock));
    }

    /** The order of executors, and the targets and tokens of spouts, in words that continue a sentence. */
    public String inWords() {
        return "by " + policy.word() + ". " + (shares == null ? "Targets of spouts: " : "Tokens of spouts: ") + spouts.entrySet().stream()
            .sorted(Map.Entry.comparingByKey()).map(spout -> spout.getKey() + " " + (shares == null ? spout.getValue().targetsInWords()
                : spout.getValue().tokensPerSec())).collect(Collectors.joining(", ")) + ".";
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
        return shares != null || inForce.getAsBoolean();
    }

    /** How urgent the input of the executor with that queue is: one object for each queue. */
    public Urgency of(String component, JCQueue queue) {
        return urgencies.computeIfAbsent(queue, unknown -> new Urgency(this, component, tokens(component), queue));
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
        return operators.index(component);
    }

    /** Which messages have which target and lane. */
    Lanes lanes() {
        return lanes;
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

    /** No executor that shares threads has a turn that should have begun before that time, in nanoseconds, or waits for one. */
    public void passed(long beginNs) {
        if (shares != null) {
            shares.passed(beginNs);
        }
    }

    /** Whether spouts have shares in the place of targets. */
    boolean areShares() {
        return shares != null;
    }

    /** The time from which targets count: that of the worker or, with shares, the virtual one. */
    long presentNs() {
        return shares == null ? nowNs() : shares.now();
    }

    /** The deadline of a tuple from another worker, which has left that much time, in nanoseconds; see {@link #deadlineNs}. */
    long arrivingDeadlineNs(long leftNs, int lane) {
        return shares == null ? deadlineNs(leftNs, lane) : deadlineAtNs(shares.arriving(), lane);
    }

    /**
     * The deadline of a message. Its lowest bits are the lane.
     *
     * @param leftNs how much time is left, in nanoseconds; negative if the message is late
     * @param lane the lane of its target
     */
    long deadlineNs(long leftNs, int lane) {
        // A sender may be mistaken, or an attacker: no deadline is so far away that sums overflow.
        return deadlineAtNs(presentNs() + Math.max(-FARTHEST_NS, Math.min(leftNs, FARTHEST_NS)), lane);
    }

    /** The deadline at a time of the worker's; see {@link #deadlineNs}. */
    long deadlineAtNs(long atNs, int lane) {
        long deadlineNs = atNs & -Lanes.MOST;
        return (deadlineNs == 0 ? Lanes.MOST : deadlineNs) | lane;
    }

    /** The lane of a tuple with that deadline, from 0 to {@link Lanes#MOST} - 1. */
    static int laneOf(long deadlineNs) {
        return (int) (deadlineNs & (Lanes.MOST - 1));
    }

    /** After how long an operator's windows end at the latest; 0 if it has none that end by time. */
    long slideNs(int operator) {
        return operator < 0 ? 0 : slidesNs[operator];
    }

    /** The progress of the windows of one task of an operator whose windows end by time. */
    WindowProgress windowProgress(int operator) {
        return new WindowProgress(TimeUnit.NANOSECONDS.toMillis(slidesNs[operator]), lagsMs[operator]);
    }

    /** Whether tuples of different lanes come to a bolt, and may overtake each other there. */
    boolean needsLanes(String component) {
        return !spouts.containsKey(component) && lanes.areSeveral(operator(component)) && !operators.isCheckpointed(component);
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
            for (int successor : operators.behind(operator)) {
                dearestNs = Math.max(dearestNs, remainingNs.getOpaque(successor));
            }
            remainingNs.setOpaque(operator, cost + dearestNs);
            leadsNs.setOpaque(operator, policy.leadNs(cost, dearestNs, lanes.longestTargetNs()));
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
                leadsNs.setOpaque(operator, policy.leadNs(NOT_MEASURED, remaining, lanes.longestTargetNs()));
            }
        });
    }

    private Tokens tokens(String component) {
        SpoutTargets spout = spouts.get(component);
        if (spout == null || (shares == null && spout.tokensPerSec() == 0)) {
            return Tokens.UNLIMITED;
        }
        if (shares == null) {
            return new RateTokens(spout.tokensPerSec(), TimeUnit.MILLISECONDS.toNanos(spout.othersMs()));
        }
        return component.equals(CheckpointSpout.CHECKPOINT_COMPONENT_ID) ? shares.largest()
            : shares.share(spout.tokensPerSec(), lanes.ofMessages(component).lane());
    }

    private static long durationMs(Map<String, Object> conf, String key) {
        return conf.get(key) instanceof Number ms ? Math.max(0, ms.longValue()) : 0;
    }
}
