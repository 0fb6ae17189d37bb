package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.storm.generated.NodeInfo;

/**
 * Tasks that all send to each other move between three containers in virtual time, several at once, and come to other executors and so to
 * other instances. Containers start when they get executors, and end when they have lost all of them. Links are slow at random, reports get
 * lost, and everybody reads the assignment, ZooKeeper and the files of others at a time of its own. Each message is counted, and no task
 * ever runs twice. In one course the tasks are a loop, and the containers stop.
 */
final class MoveSimulation {

    private static final List<NodeInfo> PLACES = SimulatedAssignment.PLACES;
    static final int SECOND = 100;
    private static final int MOVING_STEPS = 20 * SECOND;
    private static final int STOPPING_STEPS = 2 * SECOND;
    private static final int MAX_STEPS = 400 * SECOND;

    final int seed;
    final Random random;
    private final Course course;
    final boolean hasDeaths;
    final SimulatedAssignment assignment;
    private final List<SimulatedContainer> containers = new ArrayList<>();
    private final List<SimulatedLink> links = new ArrayList<>();
    final Map<List<Integer>, Integer> numbers = new HashMap<>();
    final Set<NumberedMessage> sent = new HashSet<>();
    final Set<NumberedMessage> received = new HashSet<>();
    private final Map<List<Integer>, Integer> expected = new HashMap<>();
    /** What was in a stream manager that has died, or on the way to or from it. */
    final Set<NumberedMessage> maybeLost = new HashSet<>();
    boolean emits = true;
    int starts;
    /** How many messages have come when all containers had been told to stop. */
    int late;
    /** How many containers have ended. */
    int ends;
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
        DEATHS,
        /** Containers die in addition, and their processes end some time later. */
        CONTAINER_DEATHS,
        /**
         * Most messages lead to others. Executors change, and move, each time when the last change is over. Then all containers are told
         * to stop, one after the other. No limit of time ends that.
         */
        STOP_OF_A_LOOP
    }

    MoveSimulation(int seed, Course course) {
        this.seed = seed;
        this.course = course;
        hasDeaths = course == Course.DEATHS || course == Course.CONTAINER_DEATHS;
        random = new Random(seed);
        assignment = new SimulatedAssignment(random, course != Course.MOVES);
        for (int from = 0; from < PLACES.size(); from++) {
            for (int to = 0; to < PLACES.size(); to++) {
                links.add(new SimulatedLink());
            }
        }
        for (int place = 0; place < PLACES.size(); place++) {
            containers.add(new SimulatedContainer(this, place));
        }
    }

    String where() {
        return "seed " + seed + ", step " + step + ", " + assignment;
    }

    void run() {
        while (step < MOVING_STEPS) {
            if (random.nextInt(SECOND) == 0
                    && (!isStepwise() || containers.stream().allMatch(SimulatedContainer::isSettled))) {
                assignment.change();
            }
            if (hasDeaths && random.nextInt(4 * SECOND) == 0) {
                SimulatedContainer container = containers.get(random.nextInt(PLACES.size()));
                if (container.isUp && course == Course.CONTAINER_DEATHS) {
                    container.dieAsAWhole();
                } else if (container.isUp) {
                    container.die();
                }
            }
            step();
        }
        if (isLoop()) {
            tellToStop();
        }
        emits = false;
        while (!isOver()) {
            stepOnce();
        }
        if (!isLoop()) {
            containers.forEach(SimulatedContainer::checkEnd);
        }
    }

    private void tellToStop() {
        while (!containers.stream().allMatch(SimulatedContainer::isSettled)) {
            stepOnce();
        }
        containers.forEach(container -> container.stopsAt = step + random.nextInt(STOPPING_STEPS));
        for (int i = 0; i < STOPPING_STEPS; i++) {
            stepOnce();
        }
    }

    private void stepOnce() {
        assertTrue(step < MAX_STEPS, () -> "it stands still, " + where() + ", missing " + missing());
        step();
    }

    private Collection<NumberedMessage> missing() {
        Set<NumberedMessage> missing = new HashSet<>(sent);
        missing.removeAll(received);
        missing.removeAll(maybeLost);
        return missing;
    }

    private boolean isOver() {
        return containers.stream().allMatch(isLoop() ? SimulatedContainer::hasStopped : SimulatedContainer::isAtRest)
            && links.stream().noneMatch(SimulatedLink::hasMessages)
            && received.size() + maybeLost.size() >= sent.size()
            && missing().isEmpty(); // The last one, since it takes long.
    }

    private void step() {
        step++;
        List<SimulatedContainer> order = new ArrayList<>(containers);
        Collections.shuffle(order, random);
        order.forEach(SimulatedContainer::work);
        links.forEach(link -> link.work(random, step));
    }

    void received(NumberedMessage message, SimulatedProcess by) {
        assertTrue(by.tasks.contains(message.target()), () -> message + " comes to " + by.instance + ", " + where());
        assertTrue(sent.contains(message), () -> message + " was never sent, " + where());
        assertTrue(received.add(message), () -> message + " comes twice, " + where());
        late += containers.stream().allMatch(SimulatedContainer::stops) ? 1 : 0;
        int due = expected.merge(List.of(message.source(), message.target()), 1, Integer::sum) - 1;
        assertTrue(!isOrdered() || due == message.number(), () -> message + " comes in the place of number " + due + ", " + where());
    }

    private boolean isOrdered() {
        return course == Course.MOVES || course == Course.OTHER_EXECUTORS;
    }

    /** Whether each change begins when the one before is over. */
    private boolean isStepwise() {
        return course == Course.OTHER_EXECUTORS || isLoop();
    }

    /** Whether everything has to end without any limit of time. */
    boolean hasNoLimit() {
        return isOrdered() || isLoop();
    }

    /** Whether messages lead to others. */
    boolean isLoop() {
        return course == Course.STOP_OF_A_LOOP;
    }

    SimulatedLink link(int from, int to) {
        return links.get(from * PLACES.size() + to);
    }

    /** The other containers with a node in ZooKeeper. */
    Stream<SimulatedContainer> others(SimulatedContainer than) {
        return containers.stream().filter(container -> container != than && container.hasNode());
    }

    /** A task runs in one process at a time, except that another one may start while the last one ends. */
    void checkStart(SimulatedProcess next) {
        for (SimulatedContainer container : containers) {
            container.processes.stream().filter(process -> process != next && !process.hasLeft && step < process.endsAt).forEach(process ->
                assertTrue(Collections.disjoint(process.tasks, next.tasks), () -> next.instance + " starts in addition to "
                    + process.instance + " of " + container.place + ", " + where()));
        }
    }
}
