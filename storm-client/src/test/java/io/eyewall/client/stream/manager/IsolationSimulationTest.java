package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.plan.TestComponents;
import io.eyewall.client.stream.wire.InstanceStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.junit.jupiter.api.Test;

/**
 * Three containers pass messages in virtual time, decided by the router and the backlog of each. One instance stands still for a while, and
 * then goes on. Every message is counted. Reports arrive late, and some are lost. In some runs there are large messages, which wait at the
 * door of their stream manager.
 */
class IsolationSimulationTest {

    private static final int RUNS = Integer.getInteger("eyewall.simulation.seeds", 50);
    private static final List<NodeInfo> PLACES = List.of(new NodeInfo("a", Set.of(1L)), new NodeInfo("b", Set.of(2L)),
        new NodeInfo("c", Set.of(3L)));
    /** Beside the spout there are bolts that emit by themselves, which no back-pressure for spouts stops. */
    private static final Map<String, Set<String>> LINE = Map.of("first", Set.of("spout", "clock"), "second", Set.of("first"),
        "apart", Set.of("clock2"));
    private static final Map<String, Set<String>> CIRCLE = Map.of("first", Set.of("spout", "clock", "second"), "second", Set.of("first"),
        "apart", Set.of("clock2"));

    /** What is longer is large. */
    private static final int MAX_MESSAGE_BYTES = 1_000;
    private static final int MAX_LARGE_BYTES = 200_000;
    private static final long SHARED_BYTES = 400_000;
    private static final long MAX_BYTES = 600_000;
    private static final long LINK_BYTES = 20_000;

    @Test
    void shouldDropNothingAndStopNobodyElseInALine() {
        long paused = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Simulation simulation = new Simulation(seed, LINE, false);
            simulation.run();
            assertEquals(0, simulation.refused, "seed " + seed);
            paused += simulation.paused;
        }
        assertTrue(paused > RUNS, "the limits are reached, not " + paused);
    }

    /** Whoever is full in a circle goes on, and what has no room is dropped and counted. */
    @Test
    void shouldNotStandStillInACircle() {
        for (int seed = 0; seed < RUNS; seed++) {
            new Simulation(seed, CIRCLE, false).run();
        }
    }

    /** Those of other containers may be on their way when an instance stops; with every third seed there is one container. */
    @Test
    void shouldDropNoLargeMessageInALineAndStopNobodyElse() {
        long entered = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Simulation simulation = new Simulation(seed, LINE, true);
            simulation.run();
            assertEquals(simulation.refusedOfOthers, simulation.refused, "seed " + seed);
            entered += simulation.waited;
        }
        assertTrue(entered > RUNS, "large messages wait at doors, not only " + entered);
    }

    @Test
    void shouldNotStandStillInACircleWithLargeMessages() {
        for (int seed = 0; seed < RUNS; seed++) {
            new Simulation(seed, CIRCLE, true).run();
        }
    }

    /** A message that leads to others for a few more steps. */
    private record Message(int target, int bytes, int hops) {
    }

    /** Messages that wait. */
    private static final class Waiting {
        private final Queue<Message> messages = new ArrayDeque<>();
        private long bytes;

        void add(Message message) {
            messages.add(message);
            bytes += message.bytes();
        }

        Message remove() {
            Message message = messages.remove();
            bytes -= message.bytes();
            return message;
        }
    }

    private static final class Simulation {
        private static final int BEFORE = 100;
        private static final int STALLED = 1_500;
        private static final int MAX_STEPS = 100_000;

        private final int seed;
        private final Random random;
        private final Map<String, Set<String>> inputs;
        private final boolean hasLarge;
        private final boolean stages;
        private final Map<Integer, String> components = new TreeMap<>();
        private final Map<Integer, Integer> homes = new HashMap<>();
        private final Map<Integer, Instance> instances = new TreeMap<>();
        private final List<Manager> managers = new ArrayList<>();
        private final int stalled;
        private int step;
        private long emitted;
        private long executed;
        private long refused;
        /** Those of them that came from another container. */
        private long refusedOfOthers;
        private long paused;
        /** How many large messages have waited at a door. */
        private long waited;

        Simulation(int seed, Map<String, Set<String>> inputs, boolean hasLarge) {
            this.seed = seed;
            this.hasLarge = hasLarge;
            this.inputs = inputs;
            random = new Random(seed);
            stages = inputs == LINE && seed % 2 == 0; // In a circle bolts would hold each other back for ever, as in Storm.
            int task = 1;
            for (String component : List.of("spout", "clock", "clock2", "first", "second", "apart")) {
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    components.put(task, component);
                    homes.put(task++, hasLarge && seed % 3 == 0 ? 0 : random.nextInt(PLACES.size()));
                }
            }
            InstancePlan plan = plan();
            for (int place = 0; place < PLACES.size(); place++) {
                managers.add(new Manager(place, plan));
            }
            components.keySet().forEach(id -> instances.put(id, new Instance(id)));
            instances.keySet().forEach(id -> managers.get(homes.get(id)).connect(id));
            List<Integer> victims = tasks(random.nextBoolean() ? "first" : "second");
            stalled = victims.get(random.nextInt(victims.size()));
        }

        private InstancePlan plan() {
            Map<List<Long>, NodeInfo> executors = new HashMap<>();
            homes.forEach((id, place) -> executors.put(List.of((long) id, (long) id), PLACES.get(place)));
            Assignment assignment = new Assignment("");
            assignment.set_executor_node_port(executors);
            assignment.set_node_host(Map.of());
            return InstancePlan.of(assignment, new TestComponents(components::get, 1, "none", inputs));
        }

        private List<Integer> tasks(String component) {
            return components.keySet().stream().filter(id -> components.get(id).equals(component)).toList();
        }

        void run() {
            go(BEFORE, false, true);
            go(STALLED, true, true);
            long before = tasks("apart").stream().mapToLong(id -> instances.get(id).executed).sum();
            go(BEFORE, true, true);
            long after = tasks("apart").stream().mapToLong(id -> instances.get(id).executed).sum();
            assertTrue(after - before > BEFORE / 5, () -> "others stand still as well, " + where());
            while (executed + refused < emitted) {
                assertTrue(step < MAX_STEPS, () -> "it stands still, " + where());
                go(1, false, false);
            }
            go(BEFORE, false, false);
            instances.values().forEach(instance -> assertTrue(instance.isRead, () -> "all are read again, " + where()));
            managers.forEach(manager -> assertEquals(0, manager.backlog.usedBytes(), () -> where()));
            assertEquals(emitted, executed + refused, () -> where());
        }

        private String where() {
            return "seed " + seed + ", step " + step + ", stages " + stages + ", " + components + " at " + homes + ", stalled " + stalled;
        }

        private void go(int steps, boolean isStalled, boolean emits) {
            for (int end = step + steps; step < end; step++) {
                List<Instance> order = new ArrayList<>(instances.values());
                Collections.shuffle(order, random);
                for (Instance instance : order) {
                    if (!isStalled || instance.id != stalled) {
                        instance.take();
                        instance.work(emits);
                    }
                }
                managers.forEach(Manager::work);
                long inTransit = instances.values().stream().mapToLong(Instance::holds).sum()
                    + managers.stream().mapToLong(Manager::holds).sum();
                assertEquals(emitted, executed + refused + inTransit, () -> where());
                long most = MAX_BYTES + SHARED_BYTES / 4 + (hasLarge ? (long) MAX_LARGE_BYTES * instances.size() : 0);
                managers.forEach(manager -> assertTrue(manager.backlog.usedBytes() <= most, () -> where()));
                paused += instances.values().stream().filter(instance -> !instance.isRead).count();
            }
        }

        /** A process with one executor. */
        private final class Instance implements Door.Sender {
            private static final int INPUT = 20;
            private static final int PIPE = 5;
            private static final int MAX_INPUT = 1_000;

            private final int id;
            private final String component;
            private final List<Integer> targets = new ArrayList<>();
            private final Queue<Message> input = new ArrayDeque<>();
            private final Queue<Message> unsent = new ArrayDeque<>();
            private final Queue<Message> pipe = new ArrayDeque<>();
            private InstanceStatus view = InstanceStatus.NONE;
            private boolean reportsFull;
            private boolean isRead = true;
            /** The first message of the pipe if it is large and has begun to pass. */
            private Door.LargeMessage large;
            private long executed;

            Instance(int id) {
                this.id = id;
                component = components.get(id);
                inputs.forEach((subscriber, sources) -> {
                    if (sources.contains(component)) {
                        targets.addAll(tasks(subscriber));
                    }
                });
            }

            long holds() {
                return (long) input.size() + unsent.size() + pipe.size();
            }

            /** It says when it is full, as soon as somebody listens, and takes nothing meanwhile unless stages are held. */
            void take() {
                Waiting waiting = managers.get(homes.get(id)).waiting.get(id);
                for (int i = 0; i < 4 && (stages || input.size() < INPUT) && !waiting.messages.isEmpty(); i++) {
                    input.add(waiting.remove());
                }
                boolean isFull = reportsFull ? input.size() > INPUT / 4 : input.size() > INPUT / 2;
                assertTrue(inputs == CIRCLE || input.size() < MAX_INPUT, () -> "it gets too much, " + where());
                if (isFull != reportsFull && isRead) {
                    reportsFull = isFull;
                    managers.get(homes.get(id)).router.reported(id,
                        new InstanceStatus(Set.of(), isFull ? Set.of(id) : Set.of(), Map.of()));
                }
            }

            /** It executes nothing while it has tuples that it cannot send. */
            void work(boolean emits) {
                while (!unsent.isEmpty() && pipe.size() < PIPE && !view.held().contains(unsent.element().target())) {
                    pipe.add(unsent.remove());
                }
                if (!unsent.isEmpty()) {
                    return;
                }
                if (!inputs.containsKey(component)) {
                    boolean isHeld = component.equals("spout") && !view.held().isEmpty();
                    if (emits && !targets.isEmpty() && !isHeld && random.nextInt(3) > 0) {
                        emit(3);
                    }
                } else if (!input.isEmpty()) {
                    Message message = input.remove();
                    executed++;
                    Simulation.this.executed++;
                    for (int i = random.nextInt(3); i > 0 && message.hops() > 0 && !targets.isEmpty(); i--) {
                        emit(message.hops() - 1);
                    }
                }
            }

            private void emit(int hops) {
                emitted++;
                int bytes = 1 + random.nextInt(hasLarge && random.nextInt(10) == 0 ? MAX_LARGE_BYTES : MAX_MESSAGE_BYTES);
                unsent.add(new Message(targets.get(random.nextInt(targets.size())), bytes, hops));
            }

            @Override
            public boolean isNext() {
                return isRead;
            }

            @Override
            public Backlog.Destination destination() {
                return managers.get(homes.get(id)).destination(pipe.element().target());
            }

            @Override
            public boolean mustPass() {
                return managers.get(homes.get(id)).router.mustPass(id, pipe.element().target());
            }

            @Override
            public void entered() {
                // It is read when its turn comes.
            }
        }

        /** A stream manager. */
        private final class Manager implements StayingInstances {
            private static final int DELAY = 3;
            private static final int REPORTS = 20;
            private static final int PER_STEP = 20;

            private final int place;
            private final Router router;
            private final Backlog backlog = new Backlog(SHARED_BYTES, MAX_BYTES);
            private final Door door = new Door();
            private final Map<Integer, Waiting> waiting = new TreeMap<>();
            private final Map<Integer, Backlog.Destination> destinations = new TreeMap<>();
            private final List<Waiting> links = new ArrayList<>();
            private final List<Backlog.Destination> linkDestinations = new ArrayList<>();
            private final Queue<Runnable> reports = new ArrayDeque<>();
            private final Queue<Integer> reportsDue = new ArrayDeque<>();

            Manager(int place, InstancePlan plan) {
                this.place = place;
                router = new Router(PLACES.get(place), plan, stages, new TestComponents(components::get, 1, "none", inputs),
                    new Departures(random.nextLong()), this);
                for (NodeInfo other : PLACES) {
                    links.add(new Waiting());
                    linkDestinations.add(backlog.add(LINK_BYTES, state -> router.full(other, state == Backlog.State.FULL)));
                }
            }

            void connect(int id) {
                waiting.put(id, new Waiting());
                destinations.put(id, backlog.add(Long.MAX_VALUE, state -> {
                    router.congested(Set.of(id), state != Backlog.State.FREE);
                    router.full(Set.of(id), state == Backlog.State.FULL);
                }));
                router.connected(id, Set.of(id));
            }

            long holds() {
                return waiting.values().stream().mapToLong(its -> its.messages.size()).sum()
                    + links.stream().mapToLong(its -> its.messages.size()).sum();
            }

            void work() {
                while (!reportsDue.isEmpty() && reportsDue.element() <= step) {
                    reportsDue.remove();
                    reports.remove().run();
                }
                for (int id : destinations.keySet()) {
                    Instance instance = instances.get(id);
                    for (int i = 0; i < 3 && !instance.pipe.isEmpty() && mayPass(instance); i++) {
                        if (instance.large != null) {
                            door.ends(instance.large);
                            instance.large = null;
                        }
                        pass(id, instance.pipe.remove());
                    }
                }
                for (int other = 0; other < PLACES.size(); other++) {
                    Waiting link = links.get(other);
                    for (int i = random.nextInt(PER_STEP); i > 0 && !link.messages.isEmpty(); i--) {
                        refusedOfOthers += managers.get(other).hold(link.remove(), false) ? 0 : 1;
                    }
                }
                applyBackPressure();
                if (step % REPORTS == place) {
                    toOthers(router.report());
                }
            }

            /** Whether the next message of an instance may be read. */
            private boolean mayPass(Instance instance) {
                Message next = instance.pipe.element();
                if (instance.isRead && instance.large == null && next.bytes() > MAX_MESSAGE_BYTES) {
                    router.sent(instance.id, next.target());
                    instance.large = door.begins(next.bytes(), instance);
                    door.look();
                    waited += instance.large.isWaiting() ? 1 : 0;
                    return false; // The rest comes later.
                }
                return instance.isRead && (instance.large == null || !instance.large.isWaiting());
            }

            private Backlog.Destination destination(int target) {
                int home = homes.get(target);
                return home == place ? destinations.get(target) : linkDestinations.get(home);
            }

            private void pass(int source, Message message) {
                router.sent(source, message.target());
                boolean inAnyCase = !router.mustPass(source, message.target());
                int home = homes.get(message.target());
                if (home == place) {
                    hold(message, inAnyCase);
                } else if (linkDestinations.get(home).add(message.bytes(), inAnyCase)) {
                    links.get(home).add(message);
                } else {
                    refused++;
                }
            }

            private boolean hold(Message message, boolean inAnyCase) {
                boolean hasRoom = destinations.get(message.target()).add(message.bytes(), inAnyCase);
                if (hasRoom) {
                    waiting.get(message.target()).add(message);
                } else {
                    refused++;
                }
                if (backlog.isDecisionDue()) {
                    applyBackPressure();
                }
                return hasRoom;
            }

            private void applyBackPressure() {
                destinations.forEach((id, destination) -> destination.measured(waiting.get(id).bytes));
                for (int other = 0; other < PLACES.size(); other++) {
                    linkDestinations.get(other).measured(links.get(other).bytes);
                }
                door.look();
                backlog.decide();
            }

            @Override
            public void toInstance(int instance, InstanceStatus status) {
                instances.get(instance).view = status;
            }

            @Override
            public void toOthers(InstanceStatus status) {
                if (random.nextInt(10) == 0) {
                    return; // It is lost.
                }
                Set<Manager> others = new HashSet<>(managers);
                others.remove(this);
                reports.add(() -> others.forEach(other -> other.router.reported(PLACES.get(place), status)));
                reportsDue.add(step + DELAY);
            }

            @Override
            public void read(int instance, boolean isRead) {
                instances.get(instance).isRead = isRead;
            }
        }
    }
}
