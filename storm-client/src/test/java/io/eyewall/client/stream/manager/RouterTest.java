package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.plan.TestComponents;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.junit.jupiter.api.Test;

/** Two containers: A has spout 1 and bolt 2, B has spout 3 and bolt 4, except where a test says otherwise. */
class RouterTest {

    private static final NodeInfo A = new NodeInfo("a", Set.of(6700L));
    private static final NodeInfo B = new NodeInfo("b", Set.of(6701L));
    private static final Map<Integer, NodeInfo> HOMES = Map.of(1, A, 2, A, 3, B, 4, B);
    private static final int SINK = 8;
    private static final Set<Integer> ALL = Set.of(1, 2, 3, 4);
    private static final TestComponents COMPONENTS =
        new TestComponents(RouterTest::component, 1, "none", Map.of("bolt", Set.of("spout", "bolt"), "sink", Set.of("spout", "bolt")));

    @Test
    void shouldKnowWhereTuplesGo() {
        Manager manager = new Manager(A, HOMES, false);

        assertEquals(Optional.of(B), manager.router.home(3));
        assertEquals(Optional.empty(), manager.router.home(9));
        assertEquals(Optional.of(A), manager.router.home(2));
        assertEquals(Set.of(B), manager.router.otherContainers());
        assertEquals(Optional.of("host-b"), manager.router.host(B));
    }

    @Test
    void shouldReportInstancesThatCanBeReachedToEachOther() {
        Manager manager = new Manager(A, HOMES, false);
        manager.router.connected(1, Set.of(1));
        manager.router.reported(B, new InstanceStatus(Set.of(3), Set.of(), Map.of()));
        manager.router.connected(2, Set.of(2));

        assertEquals(Set.of(1, 2, 3), manager.seen.get(1).tasks());
        assertEquals(Set.of(1, 2, 3), manager.seen.get(2).tasks());
        assertEquals(Set.of(1, 2), manager.report.tasks());

        manager.router.disconnected(2);
        manager.router.lost(B);

        assertEquals(Set.of(1), manager.seen.get(1).tasks());
        assertEquals(Set.of(1), manager.report.tasks());
    }

    @Test
    void shouldHoldAllSpoutsWhenATaskAnywhereCannotKeepUp() {
        Manager manager = running(false);

        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Set.of(4), Map.of()));

        assertEquals(ALL, manager.seen.get(1).held(), "the spout");
        assertEquals(Set.of(), manager.seen.get(2).held(), "the bolt");
        assertEquals(Set.of(4), manager.router.held(), "the culprit");

        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Set.of(), Map.of()));

        assertEquals(Set.of(), manager.seen.get(1).held());
    }

    @Test
    void shouldHoldBackForTheTaskOnlyWhereStagesAreHeld() {
        Manager manager = running(true);

        manager.router.reported(2, new InstanceStatus(Set.of(), Set.of(2), Map.of()));

        assertEquals(Set.of(2), manager.seen.get(1).held());
        assertEquals(Set.of(2), manager.seen.get(2).held());
        assertEquals(Set.of(2), manager.report.held());
    }

    @Test
    void shouldHoldForAllTasksOfAnInstanceThatDoesNotTakeWhatItIsSent() {
        Manager manager = running(true);

        manager.router.congested(Set.of(2), true);
        assertEquals(Set.of(2), manager.seen.get(1).held());
        manager.router.congested(Set.of(2), false);
        assertEquals(Set.of(), manager.seen.get(1).held());

        manager.router.congested(Set.of(2), true);
        manager.router.disconnected(2);
        assertEquals(Set.of(), manager.seen.get(1).held(), "an instance that has died holds nobody");
    }

    @Test
    void shouldNotReadWhoSendsToAFullInstanceOnly() {
        Manager manager = running(false);

        manager.router.full(Set.of(2), true);
        assertEquals(Set.of(2), manager.report.full());
        assertEquals(Set.of(), manager.unread);
        manager.router.sent(2, 1);
        manager.router.sent(1, 4);
        assertEquals(Set.of(), manager.unread, "nobody has sent to it so far");
        manager.router.sent(1, 2);
        manager.router.sent(1, 2);
        assertEquals(Set.of(1), manager.unread);
        manager.router.full(Set.of(2), false);
        assertEquals(Set.of(), manager.unread);
        assertEquals(Set.of(), manager.report.full());
    }

    @Test
    void shouldNotReadWhoSendsToAFullInstanceOfAnotherContainer() {
        Manager manager = running(false);
        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Moves.NONE, Set.of(), Set.of(4), Map.of()));
        manager.router.full(B, true);

        manager.router.sent(1, 4);
        manager.router.sent(2, 3);
        assertEquals(Set.of(1, 2), manager.unread, "the container is full, too");
        manager.router.full(B, false);
        assertEquals(Set.of(1), manager.unread);
        manager.router.lost(B);
        assertEquals(Set.of(), manager.unread, "a container that is gone holds nobody");
    }

    @Test
    void shouldReadAgainWhoWaitsForAnInstanceThatHasDied() {
        Manager manager = running(false);
        manager.router.full(Set.of(2), true);
        manager.router.sent(1, 2);

        manager.router.disconnected(2);

        assertEquals(Set.of(), manager.unread);
    }

    /** Bolts send to each other, spouts only to bolts. */
    @Test
    void shouldReadAFullInstanceThatSendsToAFullOneInACircle() {
        Manager manager = running(false);
        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Moves.NONE, Set.of(), Set.of(4), Map.of()));
        manager.router.sent(2, 4);
        assertEquals(Set.of(2), manager.unread, "it has room itself, so nobody waits for it");

        manager.router.full(Set.of(2), true);
        assertEquals(Set.of(), manager.unread, "now both would wait for each other");
        manager.router.full(Set.of(1), true);
        manager.router.sent(1, 4);
        assertEquals(Set.of(1), manager.unread, "a spout takes what it gets in any case");
    }

    /** It cannot report that itself. */
    @Test
    void shouldHoldForABoltThatIsNotReadWhereStagesAreHeld() {
        for (boolean stages : new boolean[] {true, false}) {
            Manager manager = new Manager(A, Map.of(1, A, 2, A, 4, B, SINK, B), stages);
            manager.router.connected(1, Set.of(1));
            manager.router.connected(2, Set.of(2));
            manager.router.reported(B, new InstanceStatus(Set.of(4, SINK), Moves.NONE, Set.of(), Set.of(4, SINK), Map.of()));

            manager.router.sent(1, SINK);
            manager.router.sent(2, 4);
            assertEquals(Set.of(1, 2), manager.unread);
            assertEquals(Set.of(), manager.router.held(), "neither spouts, nor bolts for which the other may wait");
            manager.router.sent(2, SINK);
            assertEquals(stages ? Set.of(2) : Set.of(), manager.router.held());
            assertEquals(manager.router.held(), manager.report.held());

            manager.router.reported(B, new InstanceStatus(Set.of(4, SINK), Set.of(), Map.of()));
            assertEquals(Set.of(), manager.router.held());
            assertEquals(Set.of(), manager.report.held());
        }
    }

    @Test
    void shouldCountAContainerThatIsNoLongerInThePlanUntilItHasNothing() {
        Manager manager = running(false);
        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Set.of(4), Map.of()));
        manager.router.plan(plan(Map.of(1, A, 2, A, 3, A, 4, A)));
        assertEquals(ALL, manager.seen.get(1).tasks(), "its tasks have not left");
        assertEquals(Set.of(B), manager.router.otherContainers());

        manager.router.running(Map.of(B, "host-b"));
        assertTrue(manager.router.reported(B, InstanceStatus.NONE));
        assertEquals(Set.of(), manager.seen.get(1).held());
        assertEquals(Set.of(1, 2), manager.seen.get(1).tasks());
        assertEquals(Set.of(B), manager.router.otherContainers(), "it has not ended");
        manager.router.running(Map.of());
        assertEquals(Set.of(), manager.router.otherContainers());
        assertFalse(manager.router.reported(B, InstanceStatus.NONE));
    }

    @Test
    void shouldCountAContainerThatWasNeverInItsPlan() {
        NodeInfo former = new NodeInfo("f", Set.of(6700L));
        Manager manager = running(false);
        assertFalse(manager.router.reported(former, InstanceStatus.NONE), "it has nothing, and nobody knows of it");

        manager.router.running(Map.of(former, "host-f"));

        assertEquals(Optional.of("host-f"), manager.router.host(former));
        assertTrue(manager.router.reported(former, new InstanceStatus(Set.of(9), Set.of(), Map.of())));
        assertEquals(Optional.of(former), manager.router.place(9));
        manager.router.lost(former);
        assertEquals(Optional.empty(), manager.router.place(9));
    }

    @Test
    void shouldCountAContainerThatHasTasksAndOfWhichNobodyElseKnows() {
        NodeInfo former = new NodeInfo("f", Set.of(6700L));
        Manager manager = running(false);

        assertTrue(manager.router.reported(former, new InstanceStatus(Set.of(9), Set.of(), Map.of())));
        assertEquals(Optional.of(former), manager.router.place(9));
        assertTrue(manager.router.otherContainers().contains(former));

        manager.router.running(Map.of());
        assertEquals(Optional.of(former), manager.router.place(9), "it still has them");
        assertTrue(manager.router.reported(former, InstanceStatus.NONE));
        manager.router.running(Map.of());
        assertFalse(manager.router.otherContainers().contains(former));
    }

    @Test
    void shouldReportThatItsProcessesHaveEnded() {
        Manager manager = running(false);
        manager.router.claim(Set.of(1, 2));
        assertEquals(Set.of(1, 2), manager.report.moves().claimed());

        manager.router.ended();

        assertTrue(manager.report.isEmpty(), () -> manager.report.toString());
    }

    @Test
    void shouldForgetAContainerThatIsSilent() {
        NodeInfo former = new NodeInfo("f", Set.of(6700L));
        Manager manager = running(false);
        assertTrue(manager.router.reported(former, new InstanceStatus(Set.of(9), Set.of(), Map.of())));
        manager.router.lost(former);
        assertEquals(Optional.empty(), manager.router.place(9));
    }

    @Test
    void shouldPassOnLoads() {
        Manager manager = running(false);

        int before = manager.sent;
        manager.router.reported(2, new InstanceStatus(Set.of(), Set.of(), Map.of(2, 0.5)));
        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Set.of(), Map.of(3, 0.1, 4, 0.25)));
        assertEquals(before, manager.sent, "loads wait for the next second");
        manager.router.everySecond();

        assertEquals(Map.of(2, 0.5, 3, 0.1, 4, 0.25), manager.loads.get(1));
        assertEquals(Map.of(2, 0.5), manager.router.report().loads());
        assertEquals(ALL, manager.seen.get(1).tasks());
    }

    @Test
    void shouldSendLoadsOnceASecondAndOnlyThoseThatHaveChanged() {
        Manager manager = running(false);
        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Set.of(), Map.of(3, 0.1, 4, 0.25)));
        manager.router.everySecond();
        int before = manager.sent;

        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Set.of(), Map.of(3, 0.1, 4, 0.5)));
        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Set.of(), Map.of(3, 0.1, 4, 0.75)));
        manager.router.everySecond();
        assertEquals(before + 2, manager.sent, "one status for each instance");
        assertEquals(Map.of(4, 0.75), manager.seen.get(1).loads());
        manager.router.everySecond();
        assertEquals(before + 2, manager.sent);

        manager.router.connected(2, Set.of(2));
        manager.router.everySecond();
        assertEquals(Map.of(3, 0.1, 4, 0.75), manager.seen.get(2).loads(), "a new instance gets all of them");
    }

    @Test
    void shouldIgnoreReportsOfContainersThatNobodyKnowsIfTheyAreMany() {
        Manager manager = running(false);
        for (long port = 1; port <= 1_000; port++) {
            manager.router.reported(new NodeInfo("stranger", Set.of(port)), new InstanceStatus(Set.of(7), Set.of(), Map.of()));
        }

        int strangers = manager.router.otherContainers().size() - 1;
        assertTrue(strangers > 0 && strangers < 100, () -> strangers + " strangers");
        assertTrue(manager.router.reported(B, new InstanceStatus(Set.of(3), Set.of(), Map.of())));
        assertEquals(Set.of(1, 2, 3, 7), manager.seen.get(1).tasks());
    }

    @Test
    void shouldReportNothingTwice() {
        Manager manager = running(false);
        int before = manager.sent;

        manager.router.plan(plan(HOMES));
        manager.router.congested(Set.of(2), false);
        manager.router.reported(2, new InstanceStatus(Set.of(), Set.of(), Map.of()));

        assertEquals(before, manager.sent);
    }

    /** Reports between three containers arrive late, and now and then not at all; a report of each every so often mends that. */
    @Test
    void shouldAgreeOnWhoIsHeldWhateverIsLostOnTheWay() {
        for (int seed = 0; seed < 500; seed++) {
            new Simulation(seed).run();
        }
    }

    private static Manager running(boolean stages) {
        Manager manager = new Manager(A, HOMES, stages);
        manager.router.connected(1, Set.of(1));
        manager.router.connected(2, Set.of(2));
        manager.router.reported(B, new InstanceStatus(Set.of(3, 4), Set.of(), Map.of()));
        return manager;
    }

    @Test
    void shouldKnowWhenNothingIsLeft() {
        Manager manager = new Manager(A, HOMES, false);
        manager.router.claim(Set.of());
        manager.router.reported(B, seen(manager.report.moves().mark()));
        assertFalse(manager.router.isFinished(), "it is to have tasks");

        manager.router.plan(plan(Map.of(3, B)));
        manager.router.claim(Set.of());
        assertFalse(manager.router.isFinished(), "the other container may not know that it has none");
        manager.router.reported(B, seen(manager.report.moves().mark()));
        assertTrue(manager.router.isFinished());

        NodeInfo next = new NodeInfo("n", Set.of(6700L));
        manager.router.running(Map.of(next, "host-n"));
        assertFalse(manager.router.isFinished(), "there is one that has not answered");
        manager.router.reported(next, seen(manager.report.moves().mark()));
        assertTrue(manager.router.isFinished());
        manager.router.lost(next);
        assertFalse(manager.router.isFinished(), "it is silent, and may have tuples for this container");
        manager.router.reported(next, seen(manager.report.moves().mark()));
        assertTrue(manager.router.isFinished());

        manager.router.strayed();
        manager.router.everySecond();
        assertFalse(manager.router.isFinished(), "tuples go to another container");
        manager.router.reported(B, seen(manager.report.moves().mark()));
        assertFalse(manager.router.isFinished(), "one may have them");
        manager.router.reported(next, seen(manager.report.moves().mark()));
        assertTrue(manager.router.isFinished());
    }

    private static InstanceStatus seen(long mark) {
        return new InstanceStatus(Set.of(3), new Moves(Set.of(), Set.of(), Set.of(), 1, Set.of(mark)), Set.of(), Set.of(), Map.of());
    }

    private static InstancePlan plan(Map<Integer, NodeInfo> homes) {
        Map<List<Long>, NodeInfo> executors = new HashMap<>();
        homes.forEach((task, home) -> executors.put(List.of((long) task, (long) task), home));
        Assignment assignment = new Assignment("");
        assignment.set_executor_node_port(executors);
        assignment.set_node_host(Map.of("a", "host-a", "b", "host-b", "c", "host-c"));
        return InstancePlan.of(assignment, COMPONENTS);
    }

    private static String component(int task) {
        return task == SINK ? "sink" : task % 2 == 1 ? "spout" : "bolt";
    }

    /** A router, and what it has sent. */
    private static final class Manager implements StayingInstances {
        private final Router router;
        private final Map<Integer, InstanceStatus> seen = new HashMap<>();
        private final Map<Integer, Map<Integer, Double>> loads = new HashMap<>();
        private InstanceStatus report = InstanceStatus.NONE;
        private final Set<Integer> unread = new HashSet<>();
        private int sent;

        Manager(NodeInfo self, Map<Integer, NodeInfo> homes, boolean stages) {
            router = new Router(self, plan(homes), stages, COMPONENTS, new Departures(1), this);
        }

        @Override
        public void toInstance(int instance, InstanceStatus status) {
            seen.put(instance, status);
            loads.computeIfAbsent(instance, added -> new HashMap<>()).putAll(status.loads());
            sent++;
        }

        @Override
        public void toOthers(InstanceStatus status) {
            report = status;
            sent++;
        }

        @Override
        public void read(int instance, boolean isRead) {
            assertTrue(isRead ? unread.remove(instance) : unread.add(instance), "nothing is said twice");
        }
    }

    /** Three containers with a spout and a bolt each, and the reports that are on their way. */
    private static final class Simulation {
        private static final List<NodeInfo> PLACES = List.of(A, B, new NodeInfo("c", Set.of(6702L)));
        private static final int STEPS = 60;

        private final Random random;
        private final int seed;
        private final boolean stages;
        private final Map<Integer, NodeInfo> homes = new HashMap<>();
        private final List<Manager> managers = new ArrayList<>();
        private final List<Queue<Runnable>> links = new ArrayList<>();
        private final Set<Integer> connected = new HashSet<>();
        private final Set<Integer> held = new HashSet<>();

        Simulation(int seed) {
            this.seed = seed;
            random = new Random(seed);
            stages = seed % 2 == 0; // The first numbers of seeds that lie close to each other are alike.
            for (int place = 0; place < PLACES.size(); place++) {
                homes.put(2 * place + 1, PLACES.get(place));
                homes.put(2 * place + 2, PLACES.get(place));
            }
            PLACES.forEach(place -> {
                managers.add(new Manager(place, homes, stages));
                links.add(new ArrayDeque<>());
            });
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                int task = 1 + random.nextInt(homes.size());
                int place = (task - 1) / 2;
                change(managers.get(place), task);
                send(place, random.nextInt(4) == 0);
                deliver(random.nextInt(4));
            }
            for (int place = 0; place < PLACES.size(); place++) {
                send(place, false);
            }
            deliver(Integer.MAX_VALUE);
            for (int task : connected) {
                InstanceStatus status = managers.get((task - 1) / 2).seen.get(task);
                assertEquals(connected, status.tasks(), "seed " + seed + ", task " + task);
                Set<Integer> expected = stages || held.isEmpty() ? held : component(task).equals("spout") ? homes.keySet() : Set.of();
                assertEquals(expected, status.held(), "seed " + seed + ", task " + task);
            }
        }

        private void change(Manager manager, int task) {
            if (!connected.contains(task)) {
                connected.add(task);
                manager.router.connected(task, Set.of(task));
            } else if (random.nextInt(4) == 0) {
                connected.remove(task);
                held.remove(task);
                manager.router.disconnected(task);
            } else {
                boolean slow = random.nextBoolean() && component(task).equals("bolt");
                Set<Integer> own = slow ? Set.of(task) : Set.of();
                held.remove(task);
                held.addAll(own);
                manager.router.reported(task, new InstanceStatus(Set.of(), own, Map.of()));
            }
        }

        private void send(int from, boolean isLost) {
            InstanceStatus report = managers.get(from).router.report();
            for (int to = 0; to < PLACES.size() && !isLost; to++) {
                Manager receiver = managers.get(to);
                if (to != from) {
                    links.get(to).add(() -> receiver.router.reported(PLACES.get(from), report));
                }
            }
        }

        private void deliver(int atMost) {
            for (Queue<Runnable> link : links) {
                for (int i = 0; i < atMost && !link.isEmpty(); i++) {
                    link.remove().run();
                }
            }
        }
    }
}
