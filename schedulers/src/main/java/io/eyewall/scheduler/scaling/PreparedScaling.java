package io.eyewall.scheduler.scaling;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.plan.ScalingGoal;
import io.eyewall.elasticity.plan.ScalingPlan;
import io.eyewall.scheduler.cluster.ClusterView;
import io.eyewall.scheduler.cluster.PlannedPlacement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A plan that waits for the rebalance that applies it. Immutable.
 *
 * @param request the request that the plan is for
 * @param plan the plan
 * @param before the topology's placement at the time of the plan
 * @param view the cluster at the time of the plan
 * @param placement where the executors go
 */
record PreparedScaling(ScalingRequest request, ScalingPlan plan, PlacedTopology before, ClusterView view, PlannedPlacement placement) {

    /** A plan of {@code preparedMs}, a time in milliseconds since 1970. */
    static PreparedScaling of(ScalingRequest request, ScalingPlan plan, PlacedTopology before, ClusterView view, long preparedMs) {
        return new PreparedScaling(request, plan, before, view, new PlannedPlacement(plan.placement(), workers(plan.placement()),
            new HashSet<>(before.placement().values()), view.names(), preparedMs));
    }

    String topologyId() {
        return before.graph().id();
    }

    /** The executors that are new or get another slot; empty if the plan changes nothing. */
    Map<ExecutorId, Slot> changed() {
        return plan.changed(before.placement());
    }

    ScalingResponse response() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        StringBuilder undo = new StringBuilder("storm rebalance " + request.topologyName() + " -w 0 -n " + workers(before.placement()));
        for (ScalingPlan.OperatorScore operator : plan.operators()) {
            if (operator.executorsAfter() != operator.executors()) {
                counts.put(operator.component().id(), operator.executorsAfter());
                undo.append(" -e ").append(operator.component().id()).append('=').append(operator.executors());
            }
        }
        return new ScalingResponse(null, plan.explain(view.names()::replaceIds), counts, workers(plan.placement()), undo.toString());
    }

    /** What the plan changes, in one line. */
    String summary() {
        List<String> parts = new ArrayList<>();
        parts.add((plan.goal().direction() == ScalingGoal.Direction.OUT ? "to " : "from ") + String.join(", ", plan.machines()));
        for (ScalingPlan.OperatorScore operator : plan.operators()) {
            if (operator.executors() != operator.executorsAfter()) {
                parts.add(operator.component().id() + " " + operator.executors() + " -> " + operator.executorsAfter() + " executors");
            }
        }
        Map<Integer, Slot> tasksBefore = slotsOfTasks(before.placement());
        Map<Integer, Slot> tasksAfter = slotsOfTasks(plan.placement());
        long moving = tasksAfter.entrySet().stream().filter(task -> !task.getValue().equals(tasksBefore.get(task.getKey()))).count();
        parts.add(moving + " of " + tasksAfter.size() + " tasks move");
        return view.names().replaceIds(String.join(", ", parts));
    }

    private static Map<Integer, Slot> slotsOfTasks(Map<ExecutorId, Slot> placement) {
        Map<Integer, Slot> slots = new HashMap<>();
        placement.forEach((executor, slot) -> {
            for (int task = executor.firstTask(); task <= executor.lastTask(); task++) {
                slots.put(task, slot);
            }
        });
        return slots;
    }

    private static int workers(Map<ExecutorId, Slot> placement) {
        return new HashSet<>(placement.values()).size();
    }
}
