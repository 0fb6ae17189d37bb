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
 * @param goal what the plan is to reach
 * @param strategy the strategy that made the plan
 * @param machines the machines that the topology gets or leaves
 * @param operators the operators as the planner found them, in the order of their indexes in the graph
 * @param choices the planner's choices, in the order in which it made them
 * @param placement the slot of every executor under the plan; executors that are not in the snapshot take over tasks of those that end
 * @param throughput the measured throughput, and the one predicted for the plan
 * @param notes limits that the planner met and assumptions of the prediction, one sentence each
 */
public record ScalingPlan(ScalingGoal goal, ScalingStrategy strategy, List<String> machines, List<OperatorScore> operators,
        List<Choice> choices, SortedMap<ExecutorId, Slot> placement, Throughput throughput, List<String> notes) {

    /** Copies the collections. */
    public ScalingPlan {
        machines = List.copyOf(machines);
        operators = List.copyOf(operators);
        choices = List.copyOf(choices);
        placement = Collections.unmodifiableSortedMap(new TreeMap<>(placement));
        notes = List.copyOf(notes);
    }

    /** The plan as text for a person: a table of the operators, the choices in their order, the prediction, the notes. */
    public String explain() {
        return explain(UnaryOperator.identity());
    }

    /**
     * The plan as text, with other names for the machines.
     *
     * @param readable replaces the ids of machines in a text
     */
    public String explain(UnaryOperator<String> readable) {
        StringBuilder text = new StringBuilder(1_024);
        boolean out = goal.direction() == ScalingGoal.Direction.OUT;
        text.append(String.format(Locale.ROOT, "Scale %s %s by %d machine%s, strategy %s: %s%n%n", goal.topologyId(),
            out ? "out" : "in", goal.machines(), goal.machines() == 1 ? "" : "s", strategy,
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

    /** The number of executors of every operator under the plan, by component id. */
    public SortedMap<String, Integer> executorCounts() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        operators.forEach(operator -> counts.put(operator.component().id(), operator.executorsAfter()));
        return counts;
    }

    /** The executors that are in another slot than in {@code before} or not in {@code before} at all, with their new slots. */
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
     * @param executors its number of executors
     * @param executorsAfter its number of executors under the plan
     * @param congested whether it is congested
     * @param score its score, see {@link ScalingStrategy#scoreName()}
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
     * One choice of the planner.
     *
     * @param target the id of the chosen component or machine
     * @param action what happens to it
     * @param score the target's score at the time of the choice
     */
    public record Choice(String target, String action, double score) {
    }

    /**
     * The throughput: what all sinks process together.
     *
     * @param measuredPerSec before the change, in tuples per second
     * @param predictedPerSec after the change, in tuples per second, when queue lengths are stable again
     */
    public record Throughput(double measuredPerSec, double predictedPerSec) {
    }
}
