package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.plan.TestComponents;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.junit.jupiter.api.Test;

/** Tasks 1 to 3 are a loop, tasks 4 and 5 another one that gets the tuples of the first, and task 6 is in none. */
class RestingLoopsTest {

    private static final Set<Integer> FIRST = Set.of(1, 2, 3);
    private static final int TASKS = 6;

    private final List<Container> containers = new ArrayList<>();
    private final InstancePlan plan = plan();

    @Test
    void shouldEndALoopInOneContainerWhenAllOfItsInstancesRest() {
        Container only = new Container(1, 2, 3, 4, 5, 6);
        only.rest(1, 2);
        assertEquals(Set.of(), only.settle(), "one goes on");
        only.waitsFor = 2;
        only.rest(3);
        assertEquals(Set.of(), only.settle(), "a tuple waits");
        only.waitsFor = 4;
        assertEquals(FIRST, only.settle());

        only.rest(4, 5);
        assertEquals(FIRST, only.settle());
        only.waitsFor = 0;
        assertEquals(Set.of(1, 2, 3, 4, 5), only.settle());
    }

    @Test
    void shouldNotKeepAnInstanceThatIsInNoLoop() {
        Container only = new Container(6);
        only.rest(6);

        assertEquals(Set.of(6), only.settle());
    }

    @Test
    void shouldEndALoopWhenAllContainersAgree() {
        Container one = new Container(1, 4);
        Container other = new Container(2);
        Container third = new Container(3, 5);
        one.rest(1);
        other.rest(2);
        report(one, other);
        assertEquals(Set.of(), third.settle());
        third.rest(3);
        assertEquals(Set.of(), third.settle(), "the others have not seen its number");
        report(third);
        assertEquals(Set.of(), one.settle(), "the other one has not said that it has");
        assertEquals(Set.of(), other.settle());
        report(one);
        assertEquals(Set.of(), third.settle());
        assertEquals(FIRST, other.settle(), "it has seen that all agree");
        report(other);

        assertEquals(FIRST, one.settle());
        assertEquals(FIRST, third.settle());
    }

    /** It has come after its receiver has agreed. */
    @Test
    void shouldNotEndWithNumbersThatATupleHasEnded() {
        Container one = new Container(1, 2);
        Container other = new Container(3);
        one.rest(1, 2);
        other.rest(3);
        report(one, other);
        other.settle();
        Map<Integer, Long> before = Map.copyOf(other.loops.numbers());

        other.goesOn(3);
        report(other);
        assertEquals(Set.of(), one.settle());
        other.rest(3);
        other.settle();
        assertNotEquals(before, other.loops.numbers());
        report(one);
        assertEquals(Set.of(), other.settle(), "the other container has not seen the next number");
        report(other);
        assertEquals(FIRST, one.settle());
    }

    @Test
    void shouldMakeNewNumbersBehindATupleThatGoesOnToAnotherContainer() {
        Container one = new Container(1, 2);
        one.rest(1, 2);
        Map<Integer, Long> before = Map.copyOf(one.numbersNow());
        assertEquals(Set.of(1, 2), before.keySet());
        assertEquals(before, one.numbersNow());

        one.loops.strayed();

        assertEquals(Map.of(), one.loops.numbers());
        assertEquals(Set.of(1, 2), one.numbersNow().keySet());
        assertNotEquals(before, one.numbersNow());
    }

    /** Its container does not stop, or it has died. */
    @Test
    void shouldWaitForATaskThatRestsNowhere() {
        Container one = new Container(1, 2);
        Container other = new Container();
        one.rest(1, 2);
        report(one, other);
        report(one, other);

        assertEquals(Set.of(), one.settle());
    }

    @Test
    void shouldTellOthersThatALoopHasEndedAfterItsInstancesHaveLeft() {
        Container one = new Container(1, 2);
        Container other = new Container(3);
        one.rest(1, 2);
        other.rest(3);
        report(one, other);
        other.settle();
        report(other);
        assertEquals(FIRST, one.settle());
        one.goesOn(1, 2);
        one.tasks.clear();
        one.owed = Set.of(1, 2);

        report(one);

        assertEquals(FIRST, other.settle());
    }

    @Test
    void shouldWaitForTuplesOfATaskThatHasMoved() {
        Container one = new Container(1, 2);
        Container former = new Container();
        Container other = new Container(3);
        former.owed = Set.of(3);
        one.rest(1, 2);
        other.rest(3);
        report(former, one, other);
        assertEquals(Map.of(), other.numbersNow());
        former.owed = Set.of();
        report(former, one, other);
        report(one, other);

        assertEquals(FIRST, one.settle());
    }

    /** These containers report to all others, in turn. */
    private void report(Container... from) {
        for (Container container : from) {
            container.settle();
            InstanceStatus status = container.status();
            containers.stream().filter(other -> other != container).forEach(other -> other.others.put(container, status));
        }
    }

    private static InstancePlan plan() {
        TestComponents components = new TestComponents(task -> task <= 3 ? "first" : task <= 5 ? "second" : "last", 1, "none",
            Map.of("first", Set.of("first"), "second", Set.of("first", "second"), "last", Set.of("second")));
        Map<List<Long>, NodeInfo> executors = new HashMap<>();
        for (long task = 1; task <= TASKS; task++) {
            executors.put(List.of(task, task), new NodeInfo("node", Set.of(1L)));
        }
        Assignment assignment = new Assignment("");
        assignment.set_executor_node_port(executors);
        assignment.set_node_host(Map.of());
        return InstancePlan.of(assignment, components);
    }

    /** A container with instances of one task each. */
    private final class Container {

        private final Set<Integer> tasks;
        private final RestingLoops loops = new RestingLoops(1_000L * containers.size());
        private final Map<Container, InstanceStatus> others = new HashMap<>();
        private Set<Integer> owed = Set.of();
        /** The task for which a tuple waits here. */
        private int waitsFor;

        Container(Integer... tasks) {
            this.tasks = new HashSet<>(List.of(tasks));
            containers.add(this);
        }

        void rest(Integer... some) {
            loops.rests(Set.of(some), true);
        }

        void goesOn(Integer... some) {
            loops.rests(Set.of(some), false);
        }

        Set<Integer> settle() {
            loops.settle(plan, List.of(status()), others.values(), some -> some.contains(waitsFor));
            return loops.ended();
        }

        Map<Integer, Long> numbersNow() {
            settle();
            return loops.numbers();
        }

        InstanceStatus status() {
            return new InstanceStatus(tasks, new Moves(Set.of(), Set.of(), owed, 0, Set.of(), loops.numbers(), loops.agreed()), Set.of(),
                Set.of(), Map.of());
        }
    }
}
