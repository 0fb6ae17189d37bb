package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.slot.ParentContainer;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.StreamWire;
import io.eyewall.client.stream.wire.WireException;
import java.util.ArrayList;
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
import java.util.stream.Collectors;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/** A container with its stream manager, whose processes leave files for each other. */
final class SimulatedContainer implements RouterOutput, ContainerForwarder {

    private static final List<NodeInfo> PLACES = SimulatedAssignment.PLACES;
    private static final int TASKS = SimulatedAssignment.TASKS;
    /** So little that senders of instances that move are not read for a while. */
    private static final long SHARED_BYTES = 4_000;
    private static final int END_STEPS = ParentContainer.END_SECS * MoveSimulation.SECOND;
    private static final int FORMER_STEPS = 5 * MoveSimulation.SECOND;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final MoveSimulation simulation;
    private final Random random;
    final int place;
    final List<SimulatedProcess> processes = new ArrayList<>();
    private final Map<Integer, SimulatedProcess> connections = new TreeMap<>();
    private final Map<Integer, SimulatedProcess> byTask = new TreeMap<>();
    private final Map<NodeInfo, Integer> reportedAt = new HashMap<>();
    private Backlog backlog;
    private AbsentInstances absent;
    private TasksOfOtherContainers tasksOfOthers;
    private Router router;
    private int deadUntil;
    /** Whether its Supervisor has started it. */
    boolean isUp;
    /** Whether it has died, and its Supervisor has not started another one so far. */
    private boolean hasDied;
    /** When the next container of the slot kills the processes of the one that has died. */
    private int killsAt = Integer.MAX_VALUE;
    /** When it is told to stop. */
    int stopsAt = Integer.MAX_VALUE;
    /** Whether its Supervisor may end it. */
    private boolean hasDeparted;
    /** Whether its stream manager has a node in ZooKeeper, and has read there which others there are. */
    private boolean isBoardRead;
    /** When the node of the last stream manager vanishes, which is not at its end. */
    private int nodeEndsAt;
    private boolean finishedFile;
    private Set<Integer> startableFile = Set.of();
    private Set<Integer> runningFile = Set.of();
    /** What the container is about to start. */
    private List<Instance> additions = List.of();
    /** Whether the stream manager has written its file, and has not read the other one. */
    private boolean hasWritten;

    SimulatedContainer(MoveSimulation simulation, int place) {
        this.simulation = simulation;
        this.place = place;
        random = simulation.random;
    }

    boolean isAssigned() {
        return simulation.assignment.plan().containers().contains(PLACES.get(place));
    }

    /** What the Supervisor does. */
    private void startOrEnd() {
        if (isUp && hasDeparted) {
            assertEquals(List.of(), processes, simulation::where);
            for (int other = 0; other < PLACES.size(); other++) {
                assertFalse(simulation.link(place, other).hasMessages(), simulation::where);
            }
            isUp = false;
            endNode();
            simulation.ends++;
        } else if (!isUp && isAssigned() && awaitFormerProcesses()) {
            hasDied = false;
            isUp = true;
            hasDeparted = false;
            finishedFile = false;
            runningFile = Set.of();
            deadUntil = 0;
            begin();
        }
    }

    /** What a container does first that starts: it waits for a while until the processes of the former one have ended, and kills them. */
    private boolean awaitFormerProcesses() {
        if (killsAt == Integer.MAX_VALUE) {
            killsAt = simulation.step + FORMER_STEPS;
        }
        processes.removeIf(process -> simulation.step >= Math.min(process.endsAt, killsAt));
        boolean haveEnded = processes.isEmpty();
        if (haveEnded) {
            killsAt = Integer.MAX_VALUE;
        }
        return haveEnded;
    }

    /** Where order has to be kept, no limit may be needed. */
    private void begin() {
        backlog = simulation.seed % 2 == 0 ? new Backlog() : new Backlog(SHARED_BYTES, Integer.MAX_VALUE);
        absent = new AbsentInstances(backlog, this);
        tasksOfOthers = new TasksOfOtherContainers();
        Departures departures = simulation.hasNoLimit() ? new Departures(random.nextLong(), Integer.MAX_VALUE, Integer.MAX_VALUE)
            : new Departures(random.nextLong());
        router = new Router(PLACES.get(place), simulation.assignment.plan(), false, simulation.assignment.components, departures, this);
        reportedAt.clear();
        startableFile = Set.of();
        hasWritten = false;
        router.claim(runningFile);
    }

    boolean isDead() {
        return simulation.step < deadUntil;
    }

    private void endNode() {
        isBoardRead = false;
        nodeEndsAt = simulation.step + random.nextInt(3 * MoveSimulation.SECOND);
    }

    /** Whether others find a node of it in ZooKeeper. */
    boolean hasNode() {
        return isBoardRead || simulation.step < nodeEndsAt;
    }

    void die() {
        endNode();
        deadUntil = simulation.step + 1 + random.nextInt(3 * MoveSimulation.SECOND);
        for (int task = 1; task <= TASKS; task++) {
            for (ByteBuf message : absent.connected(task, router)) {
                simulation.maybeLost.add(NumberedMessage.read(message));
                message.release();
            }
        }
        for (int other = 0; other < PLACES.size(); other++) {
            simulation.link(place, other).lose(simulation.maybeLost);
            simulation.link(other, place).lose(simulation.maybeLost);
        }
        connections.clear();
        byTask.clear();
        for (SimulatedProcess process : processes) {
            process.lose();
            process.isConnected = false;
            process.isRead = true;
            if (process.hasAsked) {
                process.endsAt = Math.min(process.endsAt, simulation.step);
            }
        }
    }

    /** Its processes are left behind. */
    void dieAsAWhole() {
        die();
        isUp = false;
        hasDied = true;
        nodeEndsAt = simulation.step + END_STEPS; // Its session times out.
        hasDeparted = false;
        additions = List.of();
        for (SimulatedProcess process : processes) {
            process.isOrphan = true;
            process.endsAt = Math.min(process.endsAt, simulation.step + random.nextInt(END_STEPS));
        }
    }

    void work() {
        if (random.nextInt(MoveSimulation.SECOND) == 0) {
            startOrEnd();
        }
        if (hasDied) {
            processes.removeIf(process -> simulation.step >= process.endsAt);
            for (int other = 0; other < PLACES.size(); other++) {
                simulation.link(other, place).lose(simulation.maybeLost);
            }
            return;
        }
        if (!isUp) {
            missMessages();
            return;
        }
        if (simulation.step == deadUntil) {
            begin();
        }
        if (random.nextInt(10) == 0 && !stops()) {
            keepRunning();
        }
        processes.stream().filter(process -> simulation.step < process.endsAt).forEach(process -> process.work(this));
        if (isDead()) {
            return;
        }
        if (!hasWritten && random.nextInt(10) == 0) { // One thread does all of that.
            router.plan(simulation.assignment.plan());
        }
        if (random.nextInt(10) == 0) {
            isBoardRead = true;
            router.running(simulation.others(this).collect(Collectors.toMap(other -> PLACES.get(other.place), other -> "host")));
        }
        if (random.nextInt(10) == 0) {
            claim();
        }
        for (int other = 0; other < PLACES.size(); other++) {
            SimulatedLink link = simulation.link(other, place);
            for (int i = random.nextInt(12); i > 0 && link.hasNext(simulation.step); i--) {
                take(other, link.queue.remove());
            }
        }
        List.copyOf(processes).forEach(this::read);
        absent.measure();
        backlog.decide();
        if (simulation.step % MoveSimulation.SECOND == place) {
            everySecond();
        }
    }

    /** Nobody is there to take what comes. */
    private void missMessages() {
        for (int other = 0; other < PLACES.size(); other++) {
            SimulatedLink link = simulation.link(other, place);
            assertFalse(link.hasMessages(), () -> "a message is on its way to container " + place + ", " + simulation.where());
            link.queue.clear();
        }
    }

    /** The container looks: it announces what it will start, and starts it the next time if it still may. */
    private void keepRunning() {
        if (hasDeparted) {
            return;
        }
        if (!additions.isEmpty()) {
            additions.stream().filter(this::mayStart).forEach(instance -> {
                SimulatedProcess process = new SimulatedProcess(instance, simulation);
                processes.add(process);
                simulation.checkStart(process);
                simulation.starts++;
            });
            additions = List.of();
            writeRunning();
            return;
        }
        if (isDead()) {
            startableFile = Set.of();
        }
        List<Instance> wanted = simulation.assignment.plan().instances(PLACES.get(place));
        processes.forEach(process -> process.shouldLeave |= !wanted.contains(process.instance));
        processes.removeIf(process -> simulation.step >= process.endsAt
            || (process.shouldLeave && !process.isConnected && !process.hasAsked));
        additions = wanted.stream().filter(instance -> processes.stream().noneMatch(process -> process.instance.equals(instance)))
            .filter(this::mayStart).toList();
        writeRunning();
        hasDeparted = finishedFile && processes.isEmpty() && !isAssigned();
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
            finishedFile = isBoardRead && router.isFinished();
            Set<Integer> startable = new HashSet<>();
            if (isBoardRead) {
                tasksOfOthers.tasks(router.otherContainers(), simulation.step * STEP_NS).ifPresent(others -> {
                    startable.addAll(router.startable());
                    startable.removeAll(others);
                });
            }
            startableFile = startable;
        }
        hasWritten = !hasWritten;
    }

    private void read(SimulatedProcess process) {
        for (int i = random.nextInt(4); i > 0 && process.isConnected && process.isRead && !process.out.isEmpty(); i--) {
            SimulatedProcess.Passed passed = process.out.remove();
            if (passed.message() != null) {
                pass(process, passed.message());
            } else if (passed.status() != null) {
                process.exchange.reported(passed.status().moves());
            } else {
                leave(process);
            }
        }
    }

    void connect(SimulatedProcess process) {
        connections.put(process.instance.id(), process);
        process.exchange = new Exchange(doesRest -> router.rests(process.tasks, doesRest));
        process.tasks.forEach(task -> byTask.put(task, process));
        router.connected(process.instance.id(), process.tasks);
        process.tasks.forEach(task -> absent.connected(task, router).forEach(message -> hand(process, message)));
    }

    private static void hand(SimulatedProcess process, ByteBuf message) {
        process.exchange.handed();
        process.in.add(new SimulatedProcess.Passed(message));
    }

    private void leave(SimulatedProcess process) {
        if (connections.containsValue(process)) {
            router.leaves(process.instance.id());
        } else {
            router.left(process.instance.id(), process.tasks);
            process.hasLeft = true;
            process.endsAt = simulation.step + random.nextInt(2 * MoveSimulation.SECOND);
        }
    }

    private void pass(SimulatedProcess process, ByteBuf message) {
        NumberedMessage content = NumberedMessage.read(message.duplicate());
        int source = process.instance.id();
        process.exchange.goesOn();
        if (connections.containsValue(process)) {
            router.sent(source, content.target());
        }
        SimulatedProcess target = byTask.get(content.target());
        if (target != null) {
            hand(target, message);
        } else if (router.place(content.target()).isPresent()) {
            forward(router.place(content.target()), content.write());
        } else {
            assertTrue(absent.offer(source, content.target(), message, false, router, simulation.step * STEP_NS), simulation::where);
        }
    }

    private void forward(Optional<NodeInfo> container, ByteBuf message) {
        try {
            forward(container, StreamWire.forContainer(message), false);
        } catch (WireException e) {
            throw new AssertionError(e);
        }
        message.release();
    }

    private void take(int other, SimulatedLink.Passed linked) {
        if (linked.message() == null) {
            NodeInfo container = PLACES.get(other);
            if (router.reported(container, linked.report())) {
                tasksOfOthers.reported(container, linked.report(), simulation.step * STEP_NS);
                reportedAt.put(container, simulation.step);
                absent.follow(router);
            }
        } else if (byTask.containsKey(linked.message().task())) {
            hand(byTask.get(linked.message().task()), StreamWire.fromContainer(NumberedMessage.BUFFERS, linked.message()));
        } else {
            absent.arrived(linked.message(), router, simulation.step * STEP_NS);
        }
    }

    private void everySecond() {
        reportedAt.entrySet().removeIf(entry -> {
            boolean isSilent = simulation.step - entry.getValue() > 5 * MoveSimulation.SECOND;
            if (isSilent) {
                router.lost(entry.getKey());
            }
            return isSilent;
        });
        absent.dropOverdue(router, simulation.step * STEP_NS);
        router.everySecond();
        report(router.report());
    }

    private void report(InstanceStatus status) {
        for (NodeInfo other : router.otherContainers()) {
            simulation.link(place, PLACES.indexOf(other)).queue.add(new SimulatedLink.Passed(null, status));
        }
    }

    /** Whether the instances that belong here have started and are read, there are no others, and no tuples are owed or left. */
    boolean isSettled() {
        Set<Instance> settled = new HashSet<>();
        processes.stream().filter(process -> process.isConnected && process.isRead && !process.shouldLeave)
            .forEach(process -> settled.add(process.instance));
        return processes.size() == settled.size() && settled.equals(Set.copyOf(simulation.assignment.plan().instances(PLACES.get(place))))
            && (!isUp || router.report().moves().owed().isEmpty());
    }

    /** Whether they have taken everything as well. */
    boolean isAtRest() {
        return isSettled() && isUp == isAssigned() && processes.stream().allMatch(process -> process.in.isEmpty() && process.out.isEmpty());
    }

    /** Whether its Supervisor has told it to stop. */
    boolean stops() {
        return simulation.step >= stopsAt;
    }

    /** Whether all of its instances have left. */
    boolean hasStopped() {
        return processes.stream().allMatch(process -> process.hasLeft);
    }

    void checkEnd() {
        if (!isUp) {
            return;
        }
        for (int task = 1; task <= TASKS; task++) {
            assertEquals(List.of(), absent.connected(task, router), simulation::where);
            assertFalse(router.isLeaving(task), simulation::where);
        }
    }

    @Override
    public void toInstance(int instance, InstanceStatus status) {
        if (simulation.isLoop() && connections.containsKey(instance)) { // Else it does not matter.
            connections.get(instance).in.add(new SimulatedProcess.Passed(null, status));
        }
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
            simulation.link(place, PLACES.indexOf(container)).queue.add(new SimulatedLink.Passed(null, status));
        }
    }

    @Override
    public void culprits(Set<Integer> tasks) {
        // Nobody looks at who holds others back.
    }

    @Override
    public void end(int instance) {
        SimulatedProcess process = connections.remove(instance);
        byTask.keySet().removeAll(process.tasks);
        process.isRead = true;
        process.in.add(SimulatedProcess.Passed.LEAVE);
    }

    @Override
    public WaitingTuples waiting() {
        return absent;
    }

    @Override
    public void read(int instance, boolean isRead) {
        SimulatedProcess process = connections.get(instance);
        if (process != null) {
            process.isRead = isRead;
        }
    }

    @Override
    public void forward(Optional<NodeInfo> container, TaskMessage message, boolean inAnyCase) {
        simulation.link(place, PLACES.indexOf(container.orElseThrow())).queue.add(new SimulatedLink.Passed(message, null));
    }

    @Override
    public void flush() {
        // Links take everything at once.
    }

    @Override
    public void dropped(int messages, int task) {
        assertTrue(simulation.hasDeaths, () -> messages + " for task " + task + " are dropped, " + simulation.where());
    }

    @Override
    public void refused() {
        throw new AssertionError("no room, " + simulation.where());
    }
}
