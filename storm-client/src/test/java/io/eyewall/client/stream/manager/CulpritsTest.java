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

/**
 * Whom a router names as the cause of back-pressure. In container A are a spout and the first bolt of a line, in B the second and the last
 * one. A loop of two bolts, one in each container, stands apart from the line.
 */
class CulpritsTest {

    private static final NodeInfo A = new NodeInfo("a", Set.of(6700L));
    private static final NodeInfo B = new NodeInfo("b", Set.of(6701L));
    private static final List<String> NAMES = List.of("", "spout", "first", "second", "last", "there", "back");
    private static final int SPOUT = 1;
    private static final int FIRST = 2;
    private static final int SECOND = 3;
    private static final int LAST = 4;
    private static final int THERE = 5;
    private static final int BACK = 6;
    private static final Map<Integer, NodeInfo> HOMES = Map.of(SPOUT, A, FIRST, A, SECOND, B, LAST, B, THERE, A, BACK, B);
    private static final Set<Integer> OF_B = Set.of(SECOND, LAST, BACK);
    private static final TestComponents COMPONENTS = new TestComponents(NAMES::get, 1, "none", Map.of("first", Set.of("spout"),
        "second", Set.of("first"), "last", Set.of("second"), "there", Set.of("back"), "back", Set.of("there")));

    @Test
    void shouldNameOnlyTheLastOneOfALineWhereStagesAreHeld() {
        Manager manager = new Manager(true);
        manager.slow(FIRST);
        assertEquals(Set.of(FIRST), manager.culprits);

        manager.slowElsewhere(SECOND);
        assertEquals(Set.of(), manager.culprits, "it waits for the next one, which the other container names");
        assertEquals(Set.of(FIRST, SECOND), manager.router.held(), "and holds the spout back all the same");

        manager.slowElsewhere();
        assertEquals(Set.of(FIRST), manager.culprits, "it is still slow, and now by itself");
        manager.slow();
        assertEquals(Set.of(), manager.culprits);
    }

    @Test
    void shouldNameOneWhoseReceiverKeepsUp() {
        Manager manager = new Manager(true);

        manager.slow(FIRST);
        manager.slowElsewhere(LAST);

        assertEquals(Set.of(FIRST), manager.culprits, "nobody between them is held back, so neither waits for the other");
    }

    @Test
    void shouldNameEachOneOfALoopThatCannotKeepUp() {
        Manager manager = new Manager(true);

        manager.slow(THERE);
        manager.slowElsewhere(BACK);

        assertEquals(Set.of(THERE), manager.culprits, "either may be the reason");
    }

    @Test
    void shouldNameEachSlowOneWhereOnlySpoutsAreHeld() {
        Manager manager = new Manager(false);

        manager.slow(FIRST);
        manager.slowElsewhere(SECOND);

        assertEquals(Set.of(FIRST), manager.culprits, "no bolt is held back, so it is slow by itself");
    }

    @Test
    void shouldNotNameOneThatIsNotRead() {
        for (boolean stages : new boolean[] {true, false}) {
            Manager manager = new Manager(stages);
            manager.slow(FIRST);
            manager.router.reported(B, new InstanceStatus(OF_B, Moves.NONE, Set.of(), Set.of(SECOND), Map.of()));

            manager.router.sent(FIRST, SECOND);
            assertEquals(Set.of(), manager.culprits, "too much waits for another one, and it waits for that");

            manager.slowElsewhere();
            assertEquals(Set.of(FIRST), manager.culprits);
        }
    }

    @Test
    void shouldNameOneThatDoesNotTakeWhatItIsSent() {
        Manager manager = new Manager(true);

        manager.router.congested(Set.of(FIRST), true);
        assertEquals(Set.of(FIRST), manager.culprits);
        manager.router.congested(Set.of(FIRST), false);
        assertEquals(Set.of(), manager.culprits);
    }

    @Test
    void shouldNameOneThatHasDiedWhileTooMuchWaitsForIt() {
        for (boolean stages : new boolean[] {true, false}) {
            Manager manager = new Manager(stages);
            manager.slowElsewhere(SECOND);
            manager.router.disconnected(FIRST);
            assertEquals(Set.of(), manager.culprits, "nothing waits for it so far");

            manager.router.congested(Set.of(FIRST), true);
            assertEquals(Set.of(FIRST), manager.culprits, "it cannot be waiting for the next one");
            manager.router.connected(FIRST, Set.of(FIRST));
            assertEquals(Set.of(), manager.culprits);
        }
    }

    @Test
    void shouldNameOneThatHasDiedWhileTooMuchWaitsInOtherContainers() {
        for (boolean stages : new boolean[] {true, false}) {
            Manager manager = new Manager(stages);
            manager.router.disconnected(THERE);
            manager.fullElsewhere(THERE);
            assertEquals(Set.of(THERE), manager.culprits);

            manager.router.connected(THERE, Set.of(THERE));
            assertEquals(Set.of(), manager.culprits, "it takes what has waited");
        }
    }

    @Test
    void shouldLeaveItToItsOwnContainerToNameOneThatHasDied() {
        Manager manager = new Manager(true);
        manager.router.reported(B, new InstanceStatus(Set.of(LAST, BACK), Set.of(), Map.of()));
        manager.router.full(Set.of(SECOND), true);
        manager.router.sent(FIRST, SECOND);
        manager.router.reported(FIRST, new InstanceStatus(Set.of(), Set.of(FIRST), Map.of()));

        assertEquals(Set.of(), manager.culprits, "the first one waits for it, and it is the other container's");
        assertEquals(Set.of(SECOND), manager.router.causes());
    }

    @Test
    void shouldKnowTheCausesInAllContainers() {
        Manager stages = new Manager(true);
        stages.slow(FIRST, THERE);
        stages.slowElsewhere(SECOND, LAST);
        assertEquals(Set.of(FIRST, SECOND, THERE, LAST), stages.router.held());
        assertEquals(Set.of(THERE, LAST), stages.router.causes());

        Manager spouts = new Manager(false);
        spouts.slow(FIRST);
        spouts.slowElsewhere(SECOND);
        assertEquals(Set.of(FIRST, SECOND), spouts.router.causes());
    }

    private static InstancePlan plan() {
        Map<List<Long>, NodeInfo> executors = new HashMap<>();
        HOMES.forEach((task, home) -> executors.put(List.of((long) task, (long) task), home));
        Assignment assignment = new Assignment("");
        assignment.set_executor_node_port(executors);
        assignment.set_node_host(Map.of("a", "host-a", "b", "host-b"));
        return InstancePlan.of(assignment, COMPONENTS);
    }

    /** The router of container A, whose instances are all connected, and whom it has named last. */
    private static final class Manager implements StayingInstances {

        private final Router router;
        private Set<Integer> culprits = Set.of();

        Manager(boolean stages) {
            router = new Router(A, plan(), stages, COMPONENTS, new Departures(1), this);
            for (int task : new int[] {SPOUT, FIRST, THERE}) {
                router.connected(task, Set.of(task));
            }
            slowElsewhere();
        }

        /** The instances of this container report that these cannot keep up. */
        void slow(Integer... tasks) {
            Set<Integer> slow = Set.of(tasks);
            for (int task : new int[] {FIRST, THERE}) {
                router.reported(task, new InstanceStatus(Set.of(), slow.contains(task) ? Set.of(task) : Set.of(), Map.of()));
            }
        }

        /** The other container reports that these cannot keep up. */
        void slowElsewhere(Integer... tasks) {
            router.reported(B, new InstanceStatus(OF_B, Set.of(tasks), Map.of()));
        }

        /** The other container reports that too much waits there for these. */
        void fullElsewhere(Integer... tasks) {
            router.reported(B, new InstanceStatus(OF_B, Moves.NONE, Set.of(), Set.of(tasks), Map.of()));
        }

        @Override
        public void toInstance(int instance, InstanceStatus status) {
            // What instances get is tested elsewhere.
        }

        @Override
        public void toOthers(InstanceStatus status) {
            // What other containers get is tested elsewhere.
        }

        @Override
        public void culprits(Set<Integer> tasks) {
            culprits = tasks;
        }

        @Override
        public void read(int instance, boolean isRead) {
            // Who is read is tested elsewhere.
        }
    }
}
