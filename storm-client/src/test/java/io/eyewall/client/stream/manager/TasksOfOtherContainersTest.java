package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.NodeInfo;
import org.junit.jupiter.api.Test;

/** In virtual time. B and C are the other containers. */
class TasksOfOtherContainersTest {

    private static final NodeInfo B = new NodeInfo("b", Set.of(6700L));
    private static final NodeInfo C = new NodeInfo("c", Set.of(6700L));
    private static final Set<NodeInfo> OTHERS = Set.of(B, C);

    private final TasksOfOtherContainers tasksOfOthers = new TasksOfOtherContainers();

    @Test
    void shouldKnowNothingUntilAllOthersHaveReported() {
        assertEquals(Optional.empty(), at(0));
        report(B, 1, Set.of(3), Set.of());
        assertEquals(Optional.empty(), at(1));
        report(C, 2, Set.of(4), Set.of(5));
        assertEquals(Optional.of(Set.of(3, 4, 5)), at(2));
    }

    @Test
    void shouldNotWaitForLongForContainersThatDoNotRun() {
        assertEquals(Optional.empty(), at(0));
        report(B, 9, Set.of(3), Set.of());
        assertEquals(Optional.empty(), at(16), "one that does not report may have died just now");
        assertEquals(Optional.of(Set.of(3)), at(17));
    }

    @Test
    void shouldKnowAtOnceThatThereAreNoOthers() {
        assertEquals(Optional.of(Set.of()), tasksOfOthers.tasks(Set.of(), 0));
    }

    @Test
    void shouldHaveTheInstancesOfASilentContainerUntilItHasEnded() {
        report(B, 0, Set.of(3), Set.of());
        report(C, 0, Set.of(4), Set.of());
        assertEquals(Optional.of(Set.of(3, 4)), at(0));

        report(C, 16, Set.of(4), Set.of());

        assertEquals(Optional.of(Set.of(3, 4)), at(17));
        assertEquals(Optional.of(Set.of(4)), at(18));
    }

    /** It has lost its executors, and they have not left it. */
    @Test
    void shouldHaveTheTasksOfAContainerThatIsNoLongerInThePlanUntilItHasEnded() {
        report(B, 0, Set.of(3), Set.of());
        report(C, 10, Set.of(4), Set.of());
        assertEquals(Optional.of(Set.of(3, 4)), tasksOfOthers.tasks(Set.of(C), TimeUnit.SECONDS.toNanos(17)));
        assertEquals(Optional.of(Set.of(4)), tasksOfOthers.tasks(Set.of(C), TimeUnit.SECONDS.toNanos(18)));

        report(C, 18, Set.of(), Set.of());
        assertEquals(Optional.of(Set.of()), tasksOfOthers.tasks(Set.of(), TimeUnit.SECONDS.toNanos(18)));
    }

    private void report(NodeInfo container, long atSecs, Set<Integer> instances, Set<Integer> leaving) {
        Moves moves = new Moves(leaving, Set.of(), Set.of(), 1, Set.of());
        tasksOfOthers.reported(container, new InstanceStatus(instances, moves, Set.of(), Set.of(), Map.of()),
            TimeUnit.SECONDS.toNanos(atSecs));
    }

    private Optional<Set<Integer>> at(long secs) {
        return tasksOfOthers.tasks(OTHERS, TimeUnit.SECONDS.toNanos(secs));
    }
}
