package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.plan.TestComponents;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.junit.jupiter.api.Test;

/** Which tasks a stream manager reports to its instances as leaving, so that they can leave behind these. */
class LeavingReportsTest implements StayingInstances {

    private static final NodeInfo A = new NodeInfo("a", Set.of(6700L));
    private static final NodeInfo B = new NodeInfo("b", Set.of(6701L));

    private final Map<Integer, InstanceStatus> seen = new HashMap<>();

    @Test
    void shouldReportToInstancesWhoLeavesUntilAllOfItHasArrived() {
        Router router = new Router(A, plan(), false, new TestComponents(task -> task % 2 == 1 ? "spout" : "bolt", 1, "none"),
            new Departures(1), this);
        router.connected(1, Set.of(1));
        router.connected(2, Set.of(2));
        report(router, Set.of(3, 4), Set.of(), Set.of());

        router.leaves(1);
        assertEquals(Set.of(1), leaving(), "in this container");
        router.left(1, Set.of(1));
        assertEquals(Set.of(), leaving(), "what it has sent to this container is here");

        report(router, Set.of(4), Set.of(3), Set.of());
        assertEquals(Set.of(3), leaving(), "in the other container");
        router.everySecond();
        assertEquals(Map.of(4, 0.5), seen.get(2).loads());
        assertEquals(Set.of(3), leaving(), "a report of loads does not hide it");
        report(router, Set.of(4), Set.of(), Set.of(3));
        assertEquals(Set.of(3), leaving(), "its last tuples are on their way");
        report(router, Set.of(4), Set.of(), Set.of());
        assertEquals(Set.of(), leaving());
    }

    private static void report(Router router, Set<Integer> tasks, Set<Integer> leaving, Set<Integer> owed) {
        router.reported(B, new InstanceStatus(tasks, new Moves(leaving, Set.of(), owed, 7, Set.of()), Set.of(), Set.of(), Map.of(4, 0.5)));
    }

    private Set<Integer> leaving() {
        return seen.get(2).moves().leaving();
    }

    private static InstancePlan plan() {
        Map<List<Long>, NodeInfo> executors = new HashMap<>();
        Map.of(1, A, 2, A, 3, B, 4, B).forEach((task, container) -> executors.put(List.of((long) task, (long) task), container));
        Assignment assignment = new Assignment("/code");
        assignment.set_executor_node_port(executors);
        return InstancePlan.of(assignment, new TestComponents(task -> task % 2 == 1 ? "spout" : "bolt", 1, "none"));
    }

    @Override
    public void toInstance(int instance, InstanceStatus status) {
        seen.put(instance, status);
    }

    @Override
    public void toOthers(InstanceStatus status) {
        // Not looked at.
    }

    @Override
    public void read(int instance, boolean isRead) {
        // Not looked at.
    }
}
