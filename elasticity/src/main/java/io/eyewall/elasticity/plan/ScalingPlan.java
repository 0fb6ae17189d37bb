package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.model.Component;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * How a topology is to grow or shrink, and why. Immutable.
 *
 * @param request what was wished
 * @param strategy who made it
 * @param machines the machines that it comes to or leaves
 * @param operators the operators as the planner found them, from the sources down
 * @param choices what the planner chose, in its order
 * @param placement the slot that every executor is to have; an executor that is not in the snapshot takes over tasks of those that vanish
 * @param throughput the throughput as measured, and as predicted for the plan
 * @param notes what bound the planner, and what its prediction takes for granted; one sentence each
 */
public record ScalingPlan(ScalingGoal request, ScalingStrategy strategy, List<String> machines, List<OperatorScore> operators,
        List<Choice> choices, SortedMap<ExecutorId, Slot> placement, Throughput throughput, List<String> notes) {

    /** Keeps copies. */
    public ScalingPlan {
        machines = List.copyOf(machines);
        operators = List.copyOf(operators);
        choices = List.copyOf(choices);
        placement = Collections.unmodifiableSortedMap(new TreeMap<>(placement));
        notes = List.copyOf(notes);
    }

    /** The plan in words, for a person: a table of the operators, the choices in their order, the prediction, the notes. */
    public String explain() {
        return explain(UnaryOperator.identity());
    }

    /**
     * The plan in words for a person who calls machines otherwise.
     *
     * @param readable replaces the ids of machines in a text
     */
    public String explain(UnaryOperator<String> readable) {
        StringBuilder text = new StringBuilder(1_024);
        boolean out = request.direction() == ScalingGoal.Direction.OUT;
        text.append(String.format(Locale.ROOT, "Scale %s %s by %d machine%s, strategy %s: %s%n%n", request.topologyId(),
            out ? "out" : "in", request.machines(), request.machines() == 1 ? "" : "s", strategy,
            readable.apply(String.join(", ", machines))));
        text.append(String.format(Locale.ROOT, "%-20s %12s %12s %6s %10s %6s %10s %10s%n", "operator", "input/s", "executed/s", "busy",
            "executors", "tasks", "congested", strategy.scoreName()));
        operators.forEach(operator -> text.append(operator.line()));
        text.append(String.format("%norder chosen:%n"));
        int number = 1;
        for (Choice choice : choices) {
            text.append(String.format(Locale.ROOT, "%4d. %-20s %8.4f  %s%n", number++, readable.apply(choice.target()),
                choice.score(), readable.apply(choice.action())));
        }
        text.append(String.format(Locale.ROOT, "%nthroughput: %.1f tuples/s measured, %.1f predicted%n", throughput.measuredPerSec(),
            throughput.predictedPerSec()));
        notes.forEach(note -> text.append(String.format("note: %s%n", readable.apply(note))));
        return text.toString();
    }

    /** How many executors every operator is to have, by id. */
    public SortedMap<String, Integer> executorCounts() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        operators.forEach(operator -> counts.put(operator.component().id(), operator.executorsAfter()));
        return counts;
    }

    /** The executors that are to be elsewhere than in {@code before}, or are not in it, with their new slots. */
    public Map<ExecutorId, Slot> changed(Map<ExecutorId, Slot> before) {
        SortedMap<ExecutorId, Slot> changed = new TreeMap<>(placement);
        changed.entrySet().removeIf(entry -> entry.getValue().equals(before.get(entry.getKey())));
        return changed;
    }

    /**
     * An operator as the planner found it.
     *
     * @param component the operator
     * @param rates its rates
     * @param executors how many executors it has
     * @param executorsAfter how many it is to have
     * @param congested whether it is congested
     * @param score what the strategy makes of it, see {@link ScalingStrategy#scoreName()}
     */
    public record OperatorScore(Component component, Rates rates, int executors, int executorsAfter, boolean congested, double score) {

        private String line() {
            String busy = Double.isNaN(rates.utilisation()) ? "-" : String.format(Locale.ROOT, "%.2f", rates.utilisation());
            String count = executorsAfter == executors ? "" + executors : executors + " -> " + executorsAfter;
            return String.format(Locale.ROOT, "%-20s %12.1f %12.1f %6s %10s %6d %10s %10.4f%n", component.id(), rates.inputPerSec(),
                rates.executedPerSec(), busy, count, component.taskCount(), congested ? "yes" : "no", score);
        }
    }

    /**
     * One step of the planner.
     *
     * @param target the component or machine that it chose
     * @param action what it does with it
     * @param score why: the target's score at that moment
     */
    public record Choice(String target, String action, double score) {
    }

    /**
     * The sum of what all sinks process.
     *
     * @param measuredPerSec before, tuples per second
     * @param predictedPerSec after, tuples per second, once queues have settled
     */
    public record Throughput(double measuredPerSec, double predictedPerSec) {
    }
}
