package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.plan.TestComponents;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/**
 * Instances that all send to each other move between three containers in virtual time, several at once. Links are slow at random, reports
 * get lost, and everybody reads the assignment at a time of its own. The third container joins meanwhile. Each message is counted.
 */
final class MoveSimulation {

    private static final List<NodeInfo> PLACES = List.of(new NodeInfo("a", Set.of(1L)), new NodeInfo("b", Set.of(2L)),
        new NodeInfo("c", Set.of(3L)));
    static final int INSTANCES = 8;
    /** Those up to here stay in the container with their number, so that none loses all of its instances. */
    private static final int STAYING = 3;
    private static final TestComponents COMPONENTS = new TestComponents(task -> "bolt", 1, "none", Map.of("bolt", Set.of("bolt")));
    /** So little that senders of instances that move are not read for a while. */
    private static final long SHARED_BYTES = 4_000;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(10);
    static final int SECOND = 100;
    private static final int MOVING_STEPS = 20 * SECOND;
    private static final int MOST_STEPS = 400 * SECOND;

    private final int seed;
    final Random random;
    private final boolean hasDeaths;
    private final Map<Integer, Integer> homes = new TreeMap<>();
    private final List<Container> containers = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    final Map<List<Integer>, Integer> numbers = new HashMap<>();
    final Set<NumberedMessage> sent = new HashSet<>();
    final Set<NumberedMessage> received = new HashSet<>();
    private final Map<List<Integer>, Integer> expected = new HashMap<>();
    /** What was in a stream manager that has died, or on the way to or from it. */
    final Set<NumberedMessage> maybeLost = new HashSet<>();
    boolean emits = true;
    int starts;
    int step;

    MoveSimulation(int seed, boolean hasDeaths) {
        this.seed = seed;
        this.hasDeaths = hasDeaths;
        random = new Random(seed);
        for (int id = 1; id <= INSTANCES; id++) {
            homes.put(id, id <= STAYING ? Math.min(id, PLACES.size() - 1) - 1 : random.nextInt(PLACES.size() - 1));
        }
        for (int from = 0; from < PLACES.size(); from++) {
            for (int to = 0; to < PLACES.size(); to++) {
                links.add(new Link());
            }
        }
        for (int place = 0; place < PLACES.size(); place++) {
            containers.add(new Container(place));
        }
    }

    private String where() {
        return "seed " + seed + ", step " + step + ", homes " + homes;
    }

    void run() {
        while (step < MOVING_STEPS) {
            if (random.nextInt(SECOND) == 0) {
                move();
            }
            if (hasDeaths && random.nextInt(4 * SECOND) == 0) {
                containers.get(random.nextInt(PLACES.size())).die();
            }
            step();
        }
        emits = false;
        while (!isOver()) {
            assertTrue(step < MOST_STEPS, () -> "it stands still, " + where() + ", missing " + missing());
            step();
        }
        containers.forEach(Container::checkEnd);
    }

    private Collection<NumberedMessage> missing() {
        Set<NumberedMessage> missing = new HashSet<>(sent);
        missing.removeAll(received);
        missing.removeAll(maybeLost);
        return missing;
    }

    private boolean isOver() {
        return missing().isEmpty()
            && homes.entrySet().stream().allMatch(home -> containers.get(home.getValue()).isAtRest(home.getKey()))
            && links.stream().noneMatch(Link::hasMessages);
    }

    private void move() {
        for (int many = 1 + random.nextInt(STAYING); many > 0; many--) {
            homes.put(STAYING + 1 + random.nextInt(INSTANCES - STAYING), random.nextInt(PLACES.size()));
        }
        homes.put(STAYING, PLACES.size() - 1);
    }

    private void step() {
        step++;
        List<Container> order = new ArrayList<>(containers);
        Collections.shuffle(order, random);
        order.forEach(Container::work);
        links.forEach(Link::work);
    }

    private InstancePlan plan() {
        Map<List<Long>, NodeInfo> executors = new HashMap<>();
        homes.forEach((id, place) -> executors.put(List.of((long) id, (long) id), PLACES.get(place)));
        Assignment assignment = new Assignment("");
        assignment.set_executor_node_port(executors);
        assignment.set_node_host(Map.of());
        return InstancePlan.of(assignment, COMPONENTS);
    }

    void received(NumberedMessage message) {
        assertTrue(sent.contains(message), () -> message + " was never sent, " + where());
        assertTrue(received.add(message), () -> message + " comes twice, " + where());
        int due = expected.merge(List.of(message.source(), message.target()), 1, Integer::sum) - 1;
        assertTrue(hasDeaths || due == message.number(), () -> message + " comes in the place of number " + due + ", " + where());
    }

    /** The way from one stream manager to another, in order. */
    private final class Link {
        private final Queue<Linked> queue = new ArrayDeque<>();
        private int slowUntil;

        void work() {
            if (random.nextInt(SECOND) == 0) {
                slowUntil = step + random.nextInt(SECOND);
            }
        }

        boolean hasMessages() {
            return queue.stream().anyMatch(linked -> linked.message() != null);
        }

        void lose() {
            queue.stream().filter(linked -> linked.message() != null).forEach(linked -> maybeLost.add(NumberedMessage.read(
                StreamWire.fromContainer(NumberedMessage.BUFFERS, linked.message()))));
            queue.clear();
        }
    }

    private Link link(int from, int to) {
        return links.get(from * PLACES.size() + to);
    }

    /** A container with its stream manager. */
    final class Container implements Router.Output, Ways {
        private final int place;
        private final Map<Integer, SimulatedProcess> processes = new TreeMap<>();
        private final Map<Integer, SimulatedProcess> connections = new TreeMap<>();
        private final Map<NodeInfo, Integer> reportedAt = new HashMap<>();
        private Backlog backlog;
        private AbsentInstances absent;
        private Elsewhere elsewhere;
        private Router router;
        private InstancePlan plan = plan();
        private int deadUntil;

        Container(int place) {
            this.place = place;
            begin();
        }

        private void begin() {
            backlog = seed % 2 == 0 ? new Backlog() : new Backlog(SHARED_BYTES, Integer.MAX_VALUE);
            absent = new AbsentInstances(backlog, this);
            elsewhere = new Elsewhere();
            router = new Router(PLACES.get(place), plan(), false, COMPONENTS, new Departures(random.nextLong()), this);
            reportedAt.clear();
            router.claim(processes.keySet());
        }

        boolean isDead() {
            return step < deadUntil;
        }

        void die() {
            deadUntil = step + random.nextInt(3 * SECOND);
            for (int id = 1; id <= INSTANCES; id++) {
                for (ByteBuf message : absent.connected(id, router)) {
                    maybeLost.add(NumberedMessage.read(message));
                    message.release();
                }
            }
            for (int other = 0; other < PLACES.size(); other++) {
                link(place, other).lose();
                link(other, place).lose();
            }
            connections.clear();
            for (SimulatedProcess process : processes.values()) {
                process.lose();
                process.isConnected = false;
                process.isRead = true;
                if (process.hasAsked) {
                    process.endsAt = Math.min(process.endsAt, step);
                }
            }
            begin();
        }

        void work() {
            if (random.nextInt(10) == 0) {
                plan = plan();
            }
            runProcesses();
            processes.values().forEach(process -> process.work(this));
            if (isDead()) {
                return;
            }
            if (random.nextInt(10) == 0) {
                router.plan(plan());
            }
            for (int other = 0; other < PLACES.size(); other++) {
                Link link = link(other, place);
                for (int i = random.nextInt(12); i > 0 && step >= link.slowUntil && !link.queue.isEmpty(); i--) {
                    take(other, link.queue.remove());
                }
            }
            List.copyOf(processes.values()).forEach(this::read);
            absent.measure();
            backlog.decide();
            if (step % SECOND == place) {
                everySecond();
            }
        }

        private void runProcesses() {
            processes.values().removeIf(process -> step >= process.endsAt);
            Set<Integer> wanted = new HashSet<>();
            plan.instances(PLACES.get(place)).forEach(instance -> wanted.add(instance.id()));
            processes.values().forEach(process -> process.shouldLeave |= !wanted.contains(process.id));
            processes.values().removeIf(process -> process.shouldLeave && !process.isConnected && !process.hasAsked);
            if (isDead() || wanted.isEmpty()) {
                return;
            }
            if (random.nextInt(10) == 0) {
                router.claim(processes.keySet());
            }
            Optional<Set<Integer>> others = elsewhere.instances(router.otherContainers(), step * STEP_NS);
            Set<Integer> startable = router.startable();
            for (int id : wanted) {
                if (!processes.containsKey(id) && others.isPresent() && !others.get().contains(id) && startable.contains(id)) {
                    processes.put(id, new SimulatedProcess(id, MoveSimulation.this));
                    starts++;
                }
            }
        }

        private void read(SimulatedProcess process) {
            for (int i = random.nextInt(4); i > 0 && process.isConnected && process.isRead && !process.out.isEmpty(); i--) {
                SimulatedProcess.Passed passed = process.out.remove();
                if (passed.message() != null) {
                    pass(process, passed.message());
                } else {
                    leave(process);
                }
            }
        }

        void connect(SimulatedProcess process) {
            connections.put(process.id, process);
            router.connected(process.id);
            absent.connected(process.id, router).forEach(message -> process.in.add(new SimulatedProcess.Passed(message)));
        }

        private void leave(SimulatedProcess process) {
            if (connections.containsValue(process)) {
                router.leaves(process.id);
            } else {
                router.left(process.id);
                process.endsAt = step + random.nextInt(10);
            }
        }

        private void pass(SimulatedProcess process, ByteBuf message) {
            NumberedMessage content = NumberedMessage.read(message.duplicate());
            SimulatedProcess target = connections.get(content.target());
            router.sent(process.id, content.target());
            if (target != null) {
                target.in.add(new SimulatedProcess.Passed(message));
            } else if (router.place(content.target()).isPresent()) {
                forward(router.place(content.target()), content.write());
            } else {
                assertTrue(absent.offer(process.id, content.target(), message, router, step * STEP_NS), () -> where());
            }
        }

        private void forward(Optional<NodeInfo> container, ByteBuf message) {
            try {
                forward(container, StreamWire.forContainer(message));
            } catch (WireException e) {
                throw new AssertionError(e);
            }
            message.release();
        }

        private void take(int other, Linked linked) {
            if (linked.message() == null) {
                NodeInfo container = PLACES.get(other);
                if (router.reported(container, linked.report())) {
                    elsewhere.reported(container, linked.report(), step * STEP_NS);
                    reportedAt.put(container, step);
                    absent.follow(router);
                }
            } else if (connections.containsKey(linked.message().task())) {
                connections.get(linked.message().task()).in.add(new SimulatedProcess.Passed(
                    StreamWire.fromContainer(NumberedMessage.BUFFERS, linked.message())));
            } else {
                absent.arrived(linked.message(), router, step * STEP_NS);
            }
        }

        private void everySecond() {
            reportedAt.entrySet().removeIf(entry -> {
                boolean isSilent = step - entry.getValue() > 5 * SECOND;
                if (isSilent) {
                    router.lost(entry.getKey());
                }
                return isSilent;
            });
            absent.look(router, step * STEP_NS);
            router.second();
            report(router.report());
        }

        private void report(InstanceStatus status) {
            for (NodeInfo other : router.otherContainers()) {
                link(place, PLACES.indexOf(other)).queue.add(new Linked(null, status));
            }
        }

        /** Whether an instance that belongs here has taken everything. */
        boolean isAtRest(int id) {
            SimulatedProcess process = processes.get(id);
            return process != null && process.isConnected && process.isRead && !process.shouldLeave && process.in.isEmpty()
                && process.out.isEmpty();
        }

        void checkEnd() {
            for (int id = 1; id <= INSTANCES; id++) {
                assertEquals(List.of(), absent.connected(id, router), () -> where());
                assertFalse(router.isLeaving(id), () -> where());
            }
        }

        @Override
        public void toInstance(int instance, InstanceStatus status) {
            // They do not matter here.
        }

        @Override
        public void toOthers(InstanceStatus status) {
            if (random.nextInt(10) > 0) { // Else it is lost, as it is for a container for which too much waits.
                report(status);
            }
        }

        @Override
        public void toOther(NodeInfo container, InstanceStatus status) {
            if (random.nextInt(10) > 0) {
                link(place, PLACES.indexOf(container)).queue.add(new Linked(null, status));
            }
        }

        @Override
        public void end(int instance) {
            SimulatedProcess process = connections.remove(instance);
            process.isRead = true;
            process.in.add(new SimulatedProcess.Passed(null));
        }

        @Override
        public boolean holdsTuplesOf(int instance) {
            return absent.holds(instance);
        }

        @Override
        public void read(int instance, boolean isRead) {
            SimulatedProcess process = connections.get(instance);
            if (process != null) {
                process.isRead = isRead;
            }
        }

        @Override
        public void forward(Optional<NodeInfo> container, TaskMessage message) {
            link(place, PLACES.indexOf(container.orElseThrow())).queue.add(new Linked(message, null));
        }

        @Override
        public void flush() {
            // Links take everything at once.
        }

        @Override
        public void dropped(int messages) {
            assertTrue(hasDeaths, () -> messages + " are dropped, " + where());
        }

        @Override
        public void refused() {
            throw new AssertionError("no room, " + where());
        }
    }

    /** What goes between stream managers: a message, or else a report. */
    private record Linked(TaskMessage message, InstanceStatus report) {
    }
}
