package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.model.ExecutorId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Scale-in: removes machines one by one, each time the one whose executors are least important, and moves its executors to the remaining
 * machines round robin, to the least important of these first (Xu's thesis, section 2.2.6, algorithm 2.3). The importance of a machine is
 * the sum of the importance of its executors' operators. If the importance of an operator is its ETP, this sum is ETPSum, equation 2.2.
 *
 * <p>Example: a machine with two executors of an operator whose ETP is 44 % and one of an operator with 11 % has an ETPSum of 0.99. The
 * thesis does not say how to break a tie. Here the machine whose executors are less busy comes first, if that is known, and then the one
 * with the lower id.
 */
final class MachineRemoval {

    private static final Comparator<Weight> LEAST_FIRST = Comparator.comparingDouble(Weight::importance).thenComparingDouble(Weight::busy);

    private final PlanDraft draft;
    private final double[] importance;
    /** How many executors each operator must keep; executors beyond that are dropped instead of moved. */
    private final int[] needed;
    private final int[] executors;
    private final SortedMap<String, List<ExecutorId>> byMachine = new TreeMap<>();
    private final Map<String, Weight> weights = new HashMap<>();

    /** The importance of a machine, and the sum of its executors' utilisations. */
    private record Weight(double importance, double busy) {
    }

    private MachineRemoval(PlanDraft draft, double[] importance, int[] needed) {
        this.draft = draft;
        this.importance = importance;
        this.needed = needed;
        this.executors = draft.measured.executors.clone();
        draft.placement.kept().forEach(
            (executor, slot) -> byMachine.computeIfAbsent(slot.machine(), id -> new ArrayList<>()).add(executor));
        byMachine.keySet().forEach(this::weigh);
    }

    /**
     * Removes as many machines as the goal says.
     *
     * @param draft the draft of the plan
     * @param importance the importance of an executor of each operator, at least 0
     * @param needed how many executors each operator must keep, at least 1; executors beyond that are dropped with their machine
     * @throws ScalingRefusedException if no machine would remain
     */
    static void apply(PlanDraft draft, double[] importance, int[] needed) throws ScalingRefusedException {
        if (draft.machineCount() >= draft.hosts.size()) {
            throw new ScalingRefusedException("Topology " + draft.graph.id() + " cannot shrink by " + draft.machineCount()
                + " machine(s): it runs on " + draft.hosts.size() + " " + draft.hosts + "; ask for fewer machines, or use storm kill");
        }
        MachineRemoval removal = new MachineRemoval(draft, importance, needed);
        for (int i = 0; i < draft.machineCount(); i++) {
            removal.removeOne();
        }
    }

    private void removeOne() {
        List<String> byImportance = new ArrayList<>(byMachine.keySet());
        // The sort is stable: ties stay in the order of the ids.
        byImportance.sort(Comparator.comparing(weights::get, LEAST_FIRST));
        String least = byImportance.remove(0);
        draft.remove(least, weights.get(least).importance());
        List<ExecutorId> leaving = byMachine.remove(least);
        leaving.sort(null);
        int next = 0;
        for (ExecutorId executor : leaving) {
            String component = draft.graph.componentOf(executor).id();
            int operator = draft.graph.indexOf(component);
            if (operator >= 0 && executors[operator] > needed[operator]) {
                executors[operator]--;
                draft.placement.drop(executor);
                draft.choose(component, "one executor fewer, from " + least, importanceOf(executor));
            } else {
                String target = byImportance.get(next++ % byImportance.size());
                byMachine.get(target).add(executor);
                draft.placement.move(executor, target);
                draft.choose(component, "executor " + executor + " moves from " + least + " to " + target, importanceOf(executor));
            }
        }
        byImportance.subList(0, Math.min(next, byImportance.size())).forEach(this::weigh);
    }

    private void weigh(String machine) {
        List<ExecutorId> executorsThere = byMachine.get(machine);
        weights.put(machine, new Weight(executorsThere.stream().mapToDouble(this::importanceOf).sum(),
            executorsThere.stream().mapToDouble(this::busyOf).sum()));
    }

    private double importanceOf(ExecutorId executor) {
        int operator = draft.operatorOf(executor);
        return operator < 0 ? 0 : importance[operator];
    }

    private double busyOf(ExecutorId executor) {
        int operator = draft.operatorOf(executor);
        double busy = operator < 0 ? 0 : draft.measured.utilisation[operator];
        return Double.isNaN(busy) ? 0 : busy;
    }
}
