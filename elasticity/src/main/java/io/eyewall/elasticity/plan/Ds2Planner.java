package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The one-step estimate of DS2 (Kalavri, Liagouris, Hoffmann, Dimitrova, Forshaw, Roscoe, Three steps is all you need: fast, accurate,
 * automatic scaling decisions for distributed streaming dataflows, OSDI 2018, section 3). An operator needs as many executors as its demand
 * divided by the true processing rate of one executor. The demand is the rate at which tuples would arrive if no operator upstream were a
 * bottleneck, computed along the graph from the rates of the sources. The true rate is what an executor processes per second of useful
 * time. DS2 is not part of Stela.
 *
 * <p>Scale-out adds executors where demand over capacity is highest, until every operator has what it needs or each new machine has N
 * executors (as in Stela, section 2.2.2 of Xu's thesis). If back-pressure holds the sources back, their target rate is unknown: then all
 * new executors are used, which is the estimate for the highest rate that the machines allow. Sources whose input does not exceed what they
 * process are not scaled. Scale-in removes the machines with the least demand, see {@link MachineRemoval}, and drops those of their
 * executors that their operators do not need.
 *
 * <p>Example: the demand is 1,000 tuples per second, and 2 executors process 600 while they are busy for 0.8 of the time. One executor
 * could process 600 / (2 * 0.8) = 375 tuples per second. 1,000 / 375 is 2.7, so 3 executors are needed.
 */
final class Ds2Planner implements ScalingPlanner {

    /** Rates are measured: a demand that exceeds the capacity by no more than this share needs no further executor. */
    private static final double TOLERANCE = 1e-6;

    private final CongestionConfiguration configuration;

    Ds2Planner(CongestionConfiguration configuration) {
        this.configuration = configuration;
    }

    @Override
    public ScalingPlan plan(ClusterSnapshot snapshot, ScalingGoal goal) throws ScalingRefusedException {
        PlanDraft draft = new PlanDraft(snapshot, goal, configuration);
        double[] demand = draft.demand();
        double[] load = new double[demand.length];
        Arrays.setAll(load, operator -> load(draft, demand, operator, draft.measured.executors[operator]));
        if (draft.isScaleOut()) {
            scaleOut(draft, demand);
        } else {
            int[] needed = new int[demand.length];
            Arrays.setAll(needed, operator -> needed(draft, demand, operator));
            double[] importance = new double[demand.length];
            // The busy time of sources is unknown: they count at least as much as an operator that just keeps up.
            Arrays.setAll(importance, operator -> draft.graph.isSource(operator) ? Math.max(1, load[operator]) : load[operator]);
            MachineRemoval.apply(draft, importance, needed);
        }
        return draft.finish(ScalingStrategy.DS2, load);
    }

    private static void scaleOut(PlanDraft draft, double[] demand) throws ScalingRefusedException {
        int perMachine = draft.executorsPerMachine(draft.hosts.size());
        List<String> machines = draft.openNewMachines();
        int[] executors = draft.measured.executors.clone();
        Set<String> exhausted = new TreeSet<>();
        int slots = perMachine * machines.size();
        double enough = draft.measured.isThrottled() ? 0 : 1 + TOLERANCE;
        for (int slot = 0; slot < slots; slot++) {
            int target = -1;
            double highest = enough;
            for (int operator = 0; operator < executors.length; operator++) {
                double load = load(draft, demand, operator, executors[operator]);
                if (load <= highest) {
                    continue;
                }
                boolean grows = draft.canGrow(operator, executors[operator], exhausted);
                if (grows || draft.measured.isThrottled()) {
                    // Behind a bottleneck that cannot grow, executors elsewhere gain nothing.
                    target = grows ? operator : -1;
                    highest = load;
                }
            }
            if (target < 0) {
                draft.notes.add("no operator needs or can use more executors: " + slot + " of " + slots + " are added");
                break;
            }
            draft.add(target, machines.get(slot % machines.size()), "", highest);
            executors[target]++;
        }
        draft.noteExhausted(exhausted);
    }

    /** Demand over capacity; 0 if the capacity has no bound. */
    private static double load(PlanDraft draft, double[] demand, int operator, int executors) {
        return demand[operator] / (draft.measured.trueRatePerExecutor(operator) * executors);
    }

    /** How many of its executors an operator needs. */
    private static int needed(PlanDraft draft, double[] demand, int operator) {
        int executors = draft.measured.executors[operator];
        double trueRate = draft.measured.trueRatePerExecutor(operator);
        if (draft.graph.isSource(operator) || (Double.isInfinite(trueRate) && demand[operator] > 0)) {
            return executors;
        }
        double estimate = demand[operator] == 0 ? 1 : Math.ceil(demand[operator] / trueRate - TOLERANCE);
        return (int) Math.max(1, Math.min(executors, estimate));
    }
}
