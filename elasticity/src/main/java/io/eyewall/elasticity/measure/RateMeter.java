package io.eyewall.elasticity.measure;

import io.eyewall.elasticity.model.ClusterState;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Turns the cumulative counters of heartbeats into the rates of executors, operators and topologies. This is the module
 * {@code StatisticServer} of Xu's thesis, section 2.3.2, with its period of 10 s and its sliding window of 20 readings (section 2.2.3).
 *
 * <p>Heartbeats may come at any interval, twice, late or not at all; executors may restart and counters may be reset. Time is passed in: an
 * executor's heartbeats and {@code nowMs} must be on the same clock.
 *
 * <p>Example: an executor that has executed 1,000 tuples at 10 s and 3,000 at 20 s executes 200 tuples per second.
 *
 * <p>Thread-safe: the threads that receive heartbeats record them, and the thread that plans asks for rates.
 */
public final class RateMeter {

    /** The period of the thesis, in milliseconds. */
    public static final long PERIOD_MS = 10_000;
    /** The window of the thesis, in periods. */
    public static final int WINDOW_PERIODS = 20;

    /** What was sent and what was executed are taken as equal if they differ by up to this many standard deviations of sampling. */
    private static final double DEVIATIONS = 3;

    private final long periodMs;
    private final int windowPeriods;
    private final Map<ExecutorId, CounterWindow> windows = new HashMap<>();

    /** A meter with the period and the window of the thesis. */
    public RateMeter() {
        this(PERIOD_MS, WINDOW_PERIODS);
    }

    /**
     * A meter with another period and window.
     *
     * @param periodMs the shortest time between two readings of an executor, in milliseconds
     * @param windowPeriods the length of the window, in periods
     */
    public RateMeter(long periodMs, int windowPeriods) {
        if (periodMs < 1 || windowPeriods < 1) {
            throw new IllegalArgumentException("A period of " + periodMs + " ms and a window of " + windowPeriods
                + " periods: at least 1 each");
        }
        this.periodMs = periodMs;
        this.windowPeriods = windowPeriods;
    }

    /**
     * Records the counters of one executor in a heartbeat.
     *
     * @return whether they were used; a duplicate, a late reading, or one less than a period after the last is not
     */
    public synchronized boolean record(ExecutorCounters counters) {
        return windows.computeIfAbsent(counters.executor(), id -> new CounterWindow(periodMs, windowPeriods)).add(counters);
    }

    /** Forgets all executors except these: those of killed topologies, and those whose range of tasks has changed. */
    public synchronized void retain(Predicate<ExecutorId> executors) {
        windows.keySet().removeIf(executors.negate());
    }

    /**
     * The rates of a topology in the window that ends now.
     *
     * @param graph the shape of the topology
     * @param executors the executors that it has now
     * @param nowMs now, in milliseconds, on the clock of the heartbeats
     */
    public TopologyRates rates(TopologyGraph graph, Collection<ExecutorId> executors, long nowMs) {
        Map<String, List<ExecutorId>> byOperator = new HashMap<>();
        for (ExecutorId executor : executors) {
            Component component = graph.componentOf(executor);
            if (!component.isSystem()) {
                byOperator.computeIfAbsent(component.id(), id -> new ArrayList<>()).add(executor);
            }
        }
        Map<String, OperatorSum> sums = new HashMap<>();
        for (Component operator : graph.operators()) {
            sums.put(operator.id(), sum(byOperator.getOrDefault(operator.id(), List.of()), nowMs));
        }
        Map<Link, Double> linkLoads = new HashMap<>();
        Map<Link, Double> linkExecuted = new HashMap<>();
        for (Link link : graph.links()) {
            OperatorSum from = sums.get(link.from());
            OperatorSum to = sums.get(link.to());
            Input input = new Input(link.from(), link.stream());
            double sent = from.emittedPerSec(link.stream()) * link.copies();
            double executed = to.executedPerSec(input);
            double deviation = Math.sqrt(from.emittedVariance(link.stream()) * link.copies() * link.copies() + to.executedVariance(input));
            linkLoads.put(link, sent);
            linkExecuted.put(link, Math.abs(sent - executed) <= DEVIATIONS * deviation ? sent : executed);
        }
        return assemble(graph, sums, linkLoads, linkExecuted);
    }

    /**
     * The cluster with its rates in the window that ends now.
     *
     * @param state the cluster
     * @param nowMs now, in milliseconds, on the clock of the heartbeats
     */
    public ClusterSnapshot snapshot(ClusterState state, long nowMs) {
        Map<String, TopologyRates> rates = new HashMap<>();
        for (PlacedTopology topology : state.topologies()) {
            rates.put(topology.graph().id(), rates(topology.graph(), topology.placement().keySet(), nowMs));
        }
        return new ClusterSnapshot(state, rates);
    }

    private synchronized OperatorSum sum(List<ExecutorId> executors, long nowMs) {
        // Sorted, so that floating-point sums are the same in every run.
        Map<ExecutorId, CounterWindow.Measured> measured = new TreeMap<>();
        for (ExecutorId executor : executors) {
            CounterWindow window = windows.get(executor);
            CounterWindow.Measured one = window == null ? null : window.measured(nowMs);
            if (one != null) {
                measured.put(executor, one);
            }
        }
        return new OperatorSum(measured, executors.size());
    }

    private static TopologyRates assemble(TopologyGraph graph, Map<String, OperatorSum> sums, Map<Link, Double> linkLoads,
            Map<Link, Double> linkExecuted) {
        Map<String, Rates> operators = new HashMap<>();
        Map<ExecutorId, Rates> executors = new HashMap<>();
        double input = 0;
        double executed = 0;
        double emitted = 0;
        double resolution = 0;
        int unmeasured = 0;
        for (Component operator : graph.operators()) {
            Rates rates = operatorRates(graph, operator, sums, linkLoads);
            OperatorSum sum = sums.get(operator.id());
            operators.put(operator.id(), rates);
            sum.measured.forEach((executor, one) -> executors.put(executor, executorRates(graph, operator, executor, one, rates)));
            input += graph.isSource(graph.indexOf(operator.id())) ? rates.inputPerSec() : 0;
            executed += rates.executedPerSec();
            emitted += rates.emittedPerSec();
            resolution += rates.resolutionPerSec();
            unmeasured += sum.executors - sum.measured.size();
        }
        return new TopologyRates(new Rates(input, executed, emitted, Double.NaN, resolution), operators, executors, linkLoads, linkExecuted,
            unmeasured);
    }

    private static Rates operatorRates(TopologyGraph graph, Component operator, Map<String, OperatorSum> sums,
            Map<Link, Double> linkLoads) {
        OperatorSum sum = sums.get(operator.id());
        double emitted = sum.allEmittedPerSec();
        if (graph.isSource(graph.indexOf(operator.id()))) {
            return new Rates(emitted, emitted, emitted, Double.NaN, sum.resolutionPerSec());
        }
        double input = 0;
        double resolution = sum.resolutionPerSec();
        for (Link link : graph.links()) {
            if (link.to().equals(operator.id())) {
                input += linkLoads.get(link);
                resolution += sums.get(link.from()).resolutionPerSec() * link.copies();
            }
        }
        return new Rates(input, sum.executedPerSec(), emitted, sum.utilisation(), resolution);
    }

    private static Rates executorRates(TopologyGraph graph, Component operator, ExecutorId executor, CounterWindow.Measured one,
            Rates whole) {
        double emitted = one.allEmittedPerSec();
        if (graph.isSource(graph.indexOf(operator.id()))) {
            return new Rates(emitted, emitted, emitted, Double.NaN, one.resolutionPerSec());
        }
        double share = (double) executor.taskCount() / operator.taskCount();
        return new Rates(whole.inputPerSec() * share, one.executedPerSec(), emitted, one.utilisation(),
            whole.resolutionPerSec() * share);
    }

    /** The rates of an operator: the sum over its measured executors, scaled up to all of its executors. */
    private record OperatorSum(Map<ExecutorId, CounterWindow.Measured> measured, int executors) {

        double emittedPerSec(String stream) {
            return scaled(measured.values().stream().mapToDouble(one -> one.emittedPerSec(stream)).sum());
        }

        double allEmittedPerSec() {
            return scaled(measured.values().stream().mapToDouble(CounterWindow.Measured::allEmittedPerSec).sum());
        }

        double executedPerSec(Input input) {
            return scaled(measured.values().stream().mapToDouble(one -> one.executedPerSec(input)).sum());
        }

        double executedPerSec() {
            return scaled(measured.values().stream().mapToDouble(CounterWindow.Measured::executedPerSec).sum());
        }

        double emittedVariance(String stream) {
            return scaled(scaled(measured.entrySet().stream()
                .mapToDouble(one -> one.getValue().emittedVariance(stream, one.getKey().taskCount())).sum()));
        }

        double executedVariance(Input input) {
            return scaled(scaled(measured.values().stream().mapToDouble(one -> one.executedVariance(input)).sum()));
        }

        double resolutionPerSec() {
            return scaled(measured.values().stream().mapToDouble(CounterWindow.Measured::resolutionPerSec).sum());
        }

        double utilisation() {
            return measured.values().stream().mapToDouble(CounterWindow.Measured::utilisation).average().orElse(Double.NaN);
        }

        private double scaled(double ofMeasured) {
            return measured.isEmpty() ? 0 : ofMeasured * executors / measured.size();
        }
    }
}
