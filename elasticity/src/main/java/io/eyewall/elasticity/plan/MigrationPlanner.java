package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.ClusterSnapshot;
import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The strategies that the thesis compares Stela with (Xu's thesis, section 2.3.3). They add no executors; they move existing ones to the
 * new machines, those of important operators first. The thesis does not say how many executors move. Here it is the number that gives every
 * machine, old or new, the same share. Of one operator, the executors on the machines with the most executors move first.
 *
 * <p>The link load strategies prefer, among the executors not yet moved, those with the most neighbours on the new machine, and only then
 * those with the least (or the most) link load. This follows the idea of Aniello, Baldoni and Querzoni, Adaptive online scheduling in
 * Storm, DEBS 2013.
 *
 * <p>Scale-in removes the machines whose executors are least important, see {@link MachineRemoval}. The thesis describes scale-in for ETP
 * only.
 */
final class MigrationPlanner implements ScalingPlanner {

    private final ScalingStrategy strategy;
    private final CongestionConfiguration configuration;
    private final ExecutorImportance importance;
    private final boolean joinsNeighbours;

    /**
     * A planner for one measure of importance.
     *
     * @param strategy the strategy that has this measure
     * @param importance the measure
     * @param joinsNeighbours whether executors with neighbours on the new machine move before more important ones
     */
    MigrationPlanner(ScalingStrategy strategy, CongestionConfiguration configuration, ExecutorImportance importance,
            boolean joinsNeighbours) {
        this.strategy = strategy;
        this.configuration = configuration;
        this.importance = importance;
        this.joinsNeighbours = joinsNeighbours;
    }

    @Override
    public ScalingPlan plan(ClusterSnapshot snapshot, ScalingGoal goal) throws ScalingRefusedException {
        PlanDraft draft = new PlanDraft(snapshot, goal, configuration);
        double[] scores = importance.of(draft.measured);
        if (draft.isScaleOut()) {
            scaleOut(draft, scores);
        } else {
            MachineRemoval.apply(draft, scores, draft.measured.executors);
        }
        return draft.finish(strategy, scores);
    }

    private void scaleOut(PlanDraft draft, double[] scores) throws ScalingRefusedException {
        int perMachine = draft.executorsPerMachine(draft.hosts.size() + draft.machineCount());
        List<String> machines = draft.openNewMachines();
        List<Deque<ExecutorId>> waiting = byOperator(draft);
        int[][] moved = new int[machines.size()][draft.graph.size()];
        int moves = perMachine * machines.size();
        for (int move = 0; move < moves; move++) {
            int machine = move % machines.size();
            int operator = choose(draft.graph, scores, waiting, moved[machine]);
            if (operator < 0) {
                break;
            }
            ExecutorId executor = waiting.get(operator).remove();
            String from = draft.placement.kept().get(executor).machine();
            draft.placement.move(executor, machines.get(machine));
            draft.choose(draft.graph.operators().get(operator).id(), "executor " + executor + " moves from " + from + " to "
                + machines.get(machine), scores[operator]);
            moved[machine][operator]++;
        }
    }

    /** The operator whose executor moves next to a machine, or -1 if all executors have moved. */
    private int choose(TopologyGraph graph, double[] scores, List<Deque<ExecutorId>> waiting, int[] onMachine) {
        int best = -1;
        int mostNeighbours = -1;
        for (int operator = 0; operator < scores.length; operator++) {
            if (waiting.get(operator).isEmpty()) {
                continue;
            }
            int neighbours = joinsNeighbours ? neighbours(graph, operator, onMachine) : 0;
            if (neighbours > mostNeighbours || (neighbours == mostNeighbours && scores[operator] > scores[best])) {
                best = operator;
                mostNeighbours = neighbours;
            }
        }
        return best;
    }

    private static int neighbours(TopologyGraph graph, int operator, int[] onMachine) {
        int count = 0;
        for (int child : graph.children(operator)) {
            count += onMachine[child];
        }
        for (int parent : graph.parents(operator)) {
            count += onMachine[parent];
        }
        return count;
    }

    private static List<Deque<ExecutorId>> byOperator(PlanDraft draft) {
        Map<String, Integer> executorsPerMachine = new HashMap<>();
        draft.placement.kept().values().forEach(slot -> executorsPerMachine.merge(slot.machine(), 1, Integer::sum));
        List<Deque<ExecutorId>> executors = new ArrayList<>();
        for (int i = 0; i < draft.graph.size(); i++) {
            executors.add(new ArrayDeque<>());
        }
        draft.placement.kept().entrySet().stream()
            .filter(entry -> draft.operatorOf(entry.getKey()) >= 0)
            .sorted(Comparator.comparingInt((Map.Entry<ExecutorId, Slot> entry) -> -executorsPerMachine.get(entry.getValue().machine()))
                .thenComparing(Map.Entry::getKey))
            .forEach(entry -> executors.get(draft.operatorOf(entry.getKey())).add(entry.getKey()));
        return executors;
    }
}
