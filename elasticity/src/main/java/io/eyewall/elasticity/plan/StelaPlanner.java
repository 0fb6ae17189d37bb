package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Stela (Le Xu, Elastic techniques to handle dynamism in real-time data processing systems, University of Illinois, 2021, chapter 2): new
 * executors go one by one to the congested operator that matters most for the throughput.
 *
 * <p>Scale-out is algorithm 2.2. The new machines take N executors each (section 2.2.2). For each of them, the congested operator with the
 * highest {@linkplain EffectiveThroughput ETP} gets one more executor, on the new machines in turn, and its rates are projected. If no
 * operator is congested, the source with the highest ETP gets it. Operators that have as many executors as tasks are skipped; if no other
 * is left, the plan ends and notes it. Of operators with the same ETP, the one with the highest pressure comes first, so that parallel
 * branches grow together; then the one nearer to the sources. Scale-in is algorithm 2.3, see {@link MachineRemoval}. With m new executors,
 * n operators and e links, planning takes O(m n (n + e)); this is the thesis' O(m n²) if the number of children is bounded.
 *
 * <p>Example: in figure 2.2 the operators 1, 3, 4 and 6 are congested, with an ETP of 0, 44 %, 44 % and 11 %. The order is 3, 4, 6, 1.
 */
final class StelaPlanner implements ScalingPlanner {

    private final CongestionConfiguration configuration;

    StelaPlanner(CongestionConfiguration configuration) {
        this.configuration = configuration;
    }

    @Override
    public ScalingPlan plan(ClusterSnapshot snapshot, ScalingGoal goal) throws ScalingRefusedException {
        PlanDraft draft = new PlanDraft(snapshot, goal, configuration);
        double[] etp = new EffectiveThroughput(draft.graph).ofAll(draft.measured, draft.measured.congested());
        if (draft.isScaleOut()) {
            scaleOut(draft);
        } else {
            MachineRemoval.apply(draft, etp, draft.measured.executors);
        }
        return draft.finish(ScalingStrategy.ETP, etp);
    }

    private void scaleOut(PlanDraft draft) throws ScalingRefusedException {
        int perMachine = draft.executorsPerMachine(draft.hosts.size());
        List<String> machines = draft.openNewMachines();
        OperatorLoads projected = draft.projection(configuration);
        EffectiveThroughput effective = new EffectiveThroughput(draft.graph);
        Set<String> exhausted = new TreeSet<>();
        int slots = perMachine * machines.size();
        for (int slot = 0; slot < slots; slot++) {
            boolean[] congested = projected.congested();
            boolean anyCongested = OperatorLoads.anyIs(congested);
            int target = -1;
            double highest = -1;
            double pressure = -1;
            for (int operator = 0; operator < draft.graph.size(); operator++) {
                boolean eligible = anyCongested ? congested[operator] : draft.graph.isSource(operator);
                if (eligible && draft.canGrow(operator, projected.executors[operator], exhausted)) {
                    double etp = effective.of(operator, projected, congested);
                    if (etp > highest || (etp == highest && projected.pressure(operator) > pressure)) {
                        target = operator;
                        highest = etp;
                        pressure = projected.pressure(operator);
                    }
                }
            }
            if (target < 0) {
                draft.notes.add("no operator that needs executors has tasks for more: " + slot + " of " + slots + " are added");
                break;
            }
            draft.add(target, machines.get(slot % machines.size()), anyCongested ? "" : "nothing is congested, ", highest);
            projected.addExecutor(target);
        }
        draft.noteExhausted(exhausted);
    }
}
