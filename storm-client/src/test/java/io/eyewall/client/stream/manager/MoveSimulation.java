package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/**
 * Tasks that all send to each other move between three containers in virtual time, several at once, and come to other executors and so to
 * other instances. Links are slow at random, reports get lost, and everybody reads the assignment and the files of others at a time of its
 * own. The third container joins meanwhile. Each message is counted, and no task ever runs twice.
 */
final class MoveSimulation {

    private static final List<NodeInfo> PLACES = SimulatedAssignment.PLACES;
    private static final int TASKS = SimulatedAssignment.TASKS;
    /** So little that senders of instances that move are not read for a while. */
    private static final long SHARED_BYTES = 4_000;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(10);
    static final int SECOND = 100;
    private static final int MOVING_STEPS = 20 * SECOND;
    private static final int MOST_STEPS = 400 * SECOND;

    private final int seed;
    final Random random;
    private final Course course;
    private final boolean hasDeaths;
    private final SimulatedAssignment assignment;
    private final List<Container> containers = new ArrayList<>();
    private final List<SimulatedLink> links = new ArrayList<>();
    final Map<List<Integer>, Integer> numbers = new HashMap<>();
    final Set<NumberedMessage> sent = new HashSet<>();
    final Set<NumberedMessage> received = new HashSet<>();
    private final Map<List<Integer>, Integer> expected = new HashMap<>();
    /** What was in a stream manager that has died, or on the way to or from it. */
    final Set<NumberedMessage> maybeLost = new HashSet<>();
    boolean emits = true;
    int starts;
    int step;

    /** What happens. */
    enum Course {
        /** Each task has an instance of its own, and these move at any time. Order is kept without any limit of time. */
        MOVES,
        /** Executors change, and move, each time when the last change is over. Order is kept without any limit of time. */
        OTHER_EXECUTORS,
        /** Executors change at any time. Tuples may then be overtaken. */
        CHANGES_AT_ONCE,
        /** Stream managers die in addition. */
        DEATHS
    }

    MoveSimulation(int seed, Course course) {
        this.seed = seed;
        this.course = course;
        hasDeaths = course == Course.DEATHS;
        random = new Random(seed);
        assignment = new SimulatedAssignment(random, course != Course.MOVES);
        for (int from = 0; from < PLACES.size(); from++) {
            for (int to = 0; to < PLACES.size(); to++) {
                links.add(new SimulatedLink());
            }
        }
        for (int place = 0; place < PLACES.size(); place++) {
            containers.add(new Container(place));
        }
    }

    private String where() {
        return "seed " + seed + ", step " + step + ", " + assignment;
    }

    void run() {
        while (step < MOVING_STEPS) {
            if (random.nextInt(SECOND) == 0
                    && (course != Course.OTHER_EXECUTORS || containers.stream().allMatch(Container::isSettled))) {
                assignment.change();
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
        return containers.stream().allMatch(Container::isAtRest)
            && links.stream().noneMatch(SimulatedLink::hasMessages)
            && missing().isEmpty(); // The last one, since it takes long.
    }

    private void step() {
        step++;
        List<Container> order = new ArrayList<>(containers);
        Collections.shuffle(order, random);
        order.forEach(Container::work);
        links.forEach(link -> link.work(random, step));
    }

    void received(NumberedMessage message, SimulatedProcess by) {
        assertTrue(by.tasks.contains(message.target()), () -> message + " comes to " + by.instance + ", " + where());
        assertTrue(sent.contains(message), () -> message + " was never sent, " + where());
        assertTrue(received.add(message), () -> message + " comes twice, " + where());
        int due = expected.merge(List.of(message.source(), message.target()), 1, Integer::sum) - 1;
        assertTrue(!isOrdered() || due == message.number(), () -> message + " comes in the place of number " + due + ", " + where());
    }

    private boolean isOrdered() {
        return course == Course.MOVES || course == Course.OTHER_EXECUTORS;
    }

    private SimulatedLink link(int from, int to) {
        return links.get(from * PLACES.size() + to);
    }

    /** A task runs in one process at a time, except that another one may start while the last one ends. */
    private void checkStart(SimulatedProcess next) {
        for (Container container : containers) {
            container.processes.stream().filter(process -> process != next && !process.hasLeft && step < process.endsAt).forEach(process ->
                assertTrue(Collections.disjoint(process.tasks, next.tasks), () -> next.instance + " starts in addition to "
                    + process.instance + " of " + container.place + ", " + where()));
        }
    }

    /** A container with its stream manager, whose processes leave files for each other. */
    final class Container implements Router.Output, Ways {
        private final int place;
        private final List<SimulatedProcess> processes = new ArrayList<>();
        private final Map<Integer, SimulatedProcess> connections = new TreeMap<>();
        private final Map<Integer, SimulatedProcess> byTask = new TreeMap<>();
        private final Map<NodeInfo, Integer> reportedAt = new HashMap<>();
        private Backlog backlog;
        private AbsentInstances absent;
        private Elsewhere elsewhere;
        private Router router;
        private InstancePlan plan = assignment.plan();
        private int deadUntil;
        private Set<Integer> startableFile = Set.of();
        private Set<Integer> runningFile = Set.of();
        /** What the container is about to start. */
        private List<Instance> additions = List.of();
        /** Whether the stream manager has written its file, and has not read the other one. */
        private boolean hasWritten;

        Container(int place) {
            this.place = place;
            begin();
        }

        /** Where order has to be kept, no limit may be needed. */
        private void begin() {
            backlog = seed % 2 == 0 ? new Backlog() : new Backlog(SHARED_BYTES, Integer.MAX_VALUE);
            absent = new AbsentInstances(backlog, this);
            elsewhere = new Elsewhere();
            Departures departures = isOrdered() ? new Departures(random.nextLong(), Integer.MAX_VALUE, Integer.MAX_VALUE)
                : new Departures(random.nextLong());
            router = new Router(PLACES.get(place), assignment.plan(), false, assignment.components, departures, this);
            reportedAt.clear();
            startableFile = Set.of();
            hasWritten = false;
            router.claim(runningFile);
        }

        boolean isDead() {
            return step < deadUntil;
        }

        void die() {
            deadUntil = step + 1 + random.nextInt(3 * SECOND);
            for (int task = 1; task <= TASKS; task++) {
                for (ByteBuf message : absent.connected(task, router)) {
                    maybeLost.add(NumberedMessage.read(message));
                    message.release();
                }
            }
            for (int other = 0; other < PLACES.size(); other++) {
                link(place, other).lose(maybeLost);
                link(other, place).lose(maybeLost);
            }
            connections.clear();
            byTask.clear();
            for (SimulatedProcess process : processes) {
                process.lose();
                process.isConnected = false;
                process.isRead = true;
                if (process.hasAsked) {
                    process.endsAt = Math.min(process.endsAt, step);
                }
            }
        }

        void work() {
            if (step == deadUntil) {
                begin();
            }
            if (random.nextInt(10) == 0) {
                keepRunning();
            }
            processes.stream().filter(process -> step < process.endsAt).forEach(process -> process.work(this));
            if (isDead()) {
                return;
            }
            if (!hasWritten && random.nextInt(10) == 0) { // One thread does all of that.
                router.plan(assignment.plan());
            }
            if (random.nextInt(10) == 0) {
                claim();
            }
            for (int other = 0; other < PLACES.size(); other++) {
                SimulatedLink link = link(other, place);
                for (int i = random.nextInt(12); i > 0 && link.hasNext(step); i--) {
                    take(other, link.queue.remove());
                }
            }
            List.copyOf(processes).forEach(this::read);
            absent.measure();
            backlog.decide();
            if (step % SECOND == place) {
                everySecond();
            }
        }

        /** The container looks: it announces what it will start, and starts it the next time if it still may. */
        private void keepRunning() {
            if (!additions.isEmpty()) {
                additions.stream().filter(this::mayStart).forEach(instance -> {
                    SimulatedProcess process = new SimulatedProcess(instance, MoveSimulation.this);
                    processes.add(process);
                    checkStart(process);
                    starts++;
                });
                additions = List.of();
                writeRunning();
                return;
            }
            if (isDead()) {
                startableFile = Set.of();
            }
            plan = assignment.plan();
            List<Instance> wanted = plan.instances(PLACES.get(place));
            processes.forEach(process -> process.shouldLeave |= !wanted.contains(process.instance));
            processes.removeIf(process -> step >= process.endsAt || (process.shouldLeave && !process.isConnected && !process.hasAsked));
            additions = wanted.stream().filter(instance -> processes.stream().noneMatch(process -> process.instance.equals(instance)))
                .filter(this::mayStart).toList();
            writeRunning();
        }

        private boolean mayStart(Instance instance) {
            return startableFile.containsAll(instance.tasks())
                && processes.stream().allMatch(process -> Collections.disjoint(process.tasks, instance.tasks()));
        }

        private void writeRunning() {
            Set<Integer> running = new HashSet<>();
            processes.forEach(process -> running.addAll(process.tasks));
            additions.forEach(instance -> running.addAll(instance.tasks()));
            runningFile = running;
        }

        private void claim() {
            if (hasWritten) {
                router.claim(runningFile);
            } else {
                Set<Integer> startable = new HashSet<>();
                elsewhere.tasks(router.otherContainers(), step * STEP_NS).ifPresent(others -> {
                    startable.addAll(router.startable());
                    startable.removeAll(others);
                });
                startableFile = startable;
            }
            hasWritten = !hasWritten;
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
            connections.put(process.instance.id(), process);
            process.tasks.forEach(task -> byTask.put(task, process));
            router.connected(process.instance.id(), process.tasks);
            process.tasks.forEach(task -> absent.connected(task, router).forEach(message ->
                process.in.add(new SimulatedProcess.Passed(message))));
        }

        private void leave(SimulatedProcess process) {
            if (connections.containsValue(process)) {
                router.leaves(process.instance.id());
            } else {
                router.left(process.instance.id(), process.tasks);
                process.hasLeft = true;
                process.endsAt = step + random.nextInt(2 * SECOND);
            }
        }

        private void pass(SimulatedProcess process, ByteBuf message) {
            NumberedMessage content = NumberedMessage.read(message.duplicate());
            int source = process.instance.id();
            if (connections.containsValue(process)) {
                router.sent(source, content.target());
            }
            SimulatedProcess target = byTask.get(content.target());
            if (target != null) {
                target.in.add(new SimulatedProcess.Passed(message));
            } else if (router.place(content.target()).isPresent()) {
                forward(router.place(content.target()), content.write());
            } else {
                assertTrue(absent.offer(source, content.target(), message, router, step * STEP_NS), () -> where());
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

        private void take(int other, SimulatedLink.Passed linked) {
            if (linked.message() == null) {
                NodeInfo container = PLACES.get(other);
                if (router.reported(container, linked.report())) {
                    elsewhere.reported(container, linked.report(), step * STEP_NS);
                    reportedAt.put(container, step);
                    absent.follow(router);
                }
            } else if (byTask.containsKey(linked.message().task())) {
                byTask.get(linked.message().task()).in.add(new SimulatedProcess.Passed(
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
                link(place, PLACES.indexOf(other)).queue.add(new SimulatedLink.Passed(null, status));
            }
        }

        /** Whether the instances that belong here have started and are read, there are no others, and no tuples are owed. */
        boolean isSettled() {
            Set<Instance> settled = new HashSet<>();
            processes.stream().filter(process -> process.isConnected && process.isRead && !process.shouldLeave)
                .forEach(process -> settled.add(process.instance));
            return processes.size() == settled.size() && settled.equals(Set.copyOf(assignment.plan().instances(PLACES.get(place))))
                && router.report().moves().owed().isEmpty();
        }

        /** Whether they have taken everything as well. */
        boolean isAtRest() {
            return isSettled() && processes.stream().allMatch(process -> process.in.isEmpty() && process.out.isEmpty());
        }

        void checkEnd() {
            for (int task = 1; task <= TASKS; task++) {
                assertEquals(List.of(), absent.connected(task, router), () -> where());
                assertFalse(router.isLeaving(task), () -> where());
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
                link(place, PLACES.indexOf(container)).queue.add(new SimulatedLink.Passed(null, status));
            }
        }

        @Override
        public void end(int instance) {
            SimulatedProcess process = connections.remove(instance);
            byTask.keySet().removeAll(process.tasks);
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
            link(place, PLACES.indexOf(container.orElseThrow())).queue.add(new SimulatedLink.Passed(message, null));
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
}
