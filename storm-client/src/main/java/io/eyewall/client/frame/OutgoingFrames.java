package io.eyewall.client.frame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.tuple.AddressedTuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tuples of a worker on their way to others. Threads that emit write them into lanes, one for each task here and each worker there, and
 * the sending thread sends what a lane has as a frame.
 *
 * <p>The tuples of one task to another keep their order: they are in one lane, and what goes to a worker leaves in the order in which it
 * came out of the transfer queue. When the homes of tasks change, a task gets new lanes once its old ones are empty.
 */
public final class OutgoingFrames {

    private static final Logger LOG = LoggerFactory.getLogger(OutgoingFrames.class);

    /** What became of a tuple that was offered. */
    public enum Offer {
        /** It is on its way. */
        TAKEN,
        /** There is no space for it at the moment. */
        REFUSED,
        /** It cannot go by a frame: its task has no home, or no task of the topology has emitted it. */
        NO_LANE
    }

    /** The queue from which the sending thread takes lanes. For any thread. */
    public interface Queue {

        /** Inserts a lane; false if the queue is full. Wakes nobody. */
        boolean tryPublish(Object lane);

        /** Wakes the sending thread, since a lane is becoming full. */
        void hurry();
    }

    private final Supplier<Map<Integer, NodeInfo>> currentHomes;
    private final Queue queue;
    private final FramePool pool;
    private final Supplier<FrameSplitter> splitters;
    private final Predicate<IConnection> carriesFrames;
    private final Consumer<TaskMessage> onMessage;
    /** By the task that emits. Replaced under the lock of this object. */
    private final AtomicReferenceArray<Lanes> lanes;
    /** The homes that were looked at last. Written under the lock of this object. */
    private volatile Homes homes = new Homes(Map.of(), new NodeInfo[0], new int[0]);

    // For the sending thread.
    private final List<Object> taken = new ArrayList<>();
    private final Map<NodeInfo, List<TaskMessage>> bundles = new HashMap<>();
    private FrameSplitter splitter;
    /** The rings in shared memory; null without any. Written before the first tuple. */
    private RingLinks rings;

    /**
     * No tuples.
     *
     * @param currentHomes returns the worker of each task; the map that it returns never changes
     * @param lastTask the highest task of the topology
     * @param splitters makes a splitter of this worker's frames for the thread that calls it
     * @param carriesFrames whether a connection takes frames; others get a message for each tuple
     * @param onMessage is called with each message that is no frame before it leaves, on the sending thread
     */
    public OutgoingFrames(Supplier<Map<Integer, NodeInfo>> currentHomes, int lastTask, Queue queue, FramePool pool,
            Supplier<FrameSplitter> splitters, Predicate<IConnection> carriesFrames, Consumer<TaskMessage> onMessage) {
        this.currentHomes = currentHomes;
        this.queue = queue;
        this.pool = pool;
        this.splitters = splitters;
        this.carriesFrames = carriesFrames;
        this.onMessage = onMessage;
        lanes = new AtomicReferenceArray<>(lastTask + 1);
    }

    /** Has frames go through shared memory to workers of this host that take them there. Called before the first tuple. */
    public void shareMemory() {
        rings = new RingLinks();
    }

    /** Takes a tuple, for any thread; {@code writer} is that thread's. Throws what upstream's serializer throws. */
    public Offer offer(AddressedTuple tuple, FrameWriter writer) {
        int source = tuple.getTuple().getSourceTask();
        Homes now = look(currentHomes.get());
        int place = now.place(tuple.getDest());
        if (hasNoLane(source, place)) {
            return Offer.NO_LANE;
        }
        Lanes own = lanes(source, now);
        return own != null && own.lane(place).tryAdd(writer, tuple.getDest(), tuple.getTuple()) ? Offer.TAKEN : Offer.REFUSED;
    }

    /** Takes a tuple of a task that goes by itself, in order with the others of that task; for any thread. */
    public Offer offer(int source, TaskMessage message) {
        Homes now = look(currentHomes.get());
        int place = now.place(message.task());
        if (hasNoLane(source, place)) {
            return Offer.NO_LANE;
        }
        Lanes own = lanes(source, now);
        return own != null && own.lane(place).tryAdd(message) ? Offer.TAKEN : Offer.REFUSED;
    }

    private boolean hasNoLane(int source, int place) {
        return place < 0 || source < 0 || source >= lanes.length();
    }

    /** The lanes of a task; null if it has to wait for them. */
    private Lanes lanes(int source, Homes now) {
        Lanes own = lanes.get(source);
        return own != null && own.byTask == now.byTask ? own : renew(source, now);
    }

    /** Whether all that was sent last went into rings with space, which any thread may do without waiting. For any thread. */
    public boolean allRingsHaveSpace() {
        return rings != null && rings.allHaveSpace();
    }

    /** Sends what waits for space in rings; returns whether nothing waits any longer. On the sending thread. */
    public boolean catchUp() {
        if (rings == null || !rings.isBehind()) {
            return true;
        }
        rings.catchUp();
        return !rings.isBehind();
    }

    /** Takes what came out of the transfer queue, to be sent with the next {@link #send}; on the sending thread. */
    public void take(Object element) {
        taken.add(element);
    }

    /** Whether the last {@link #send} kept what was taken. On the sending thread. */
    public boolean hasTaken() {
        return !taken.isEmpty();
    }

    /**
     * Sends what was taken, on the sending thread, while the homes of tasks stay as they are.
     *
     * @param mayWait whether the calling thread may wait for space in a connection. If not, and something goes elsewhere than into a ring,
     *     it sends nothing, and keeps what was taken for the next call. Only this look decides that: a connection may have been added, or
     *     have lost its ring, at any time before
     * @return how many tuples and messages it sent
     */
    public int send(Map<Integer, NodeInfo> homesNow, Map<NodeInfo, IConnection> connections, boolean mayWait) {
        Homes now = look(homesNow);
        if (!mayWait && !goesIntoRings(now, connections)) {
            return 0;
        }
        int tuples = 0;
        try {
            for (Object element : taken) {
                tuples += element instanceof FrameLane lane ? bundle(lane, now, connections) : bundle((TaskMessage) element, homesNow);
            }
            bundles.forEach((place, messages) -> send(connections.get(place), place, messages, mayWait));
            if (rings != null && !taken.isEmpty()) {
                rings.sent(connections);
            }
        } finally {
            taken.clear();
            bundles.values().forEach(List::clear);
        }
        return tuples;
    }

    private boolean goesIntoRings(Homes now, Map<NodeInfo, IConnection> connections) {
        for (Object element : taken) {
            NodeInfo place = element instanceof FrameLane lane ? (lane.homes() == now.byTask ? lane.place() : null)
                : now.map.get(((TaskMessage) element).task());
            if (rings == null || place == null || !rings.hasRing(connections.get(place))) {
                return false;
            }
        }
        return true;
    }

    private int bundle(FrameLane lane, Homes now, Map<NodeInfo, IConnection> connections) {
        boolean asItIs = lane.homes() == now.byTask && carriesFrames.test(connections.get(lane.place()));
        int tuples = 0;
        for (TaskMessage message : lane.take()) {
            if (!(message instanceof FrameMessage frame)) {
                tuples += bundle(message, now.map);
            } else if (asItIs) {
                bundle(frame, lane.place());
                tuples += frame.tuples();
            } else {
                for (TaskMessage part : split(frame)) {
                    tuples += bundle(part, now.map);
                }
            }
        }
        return tuples;
    }

    private List<TaskMessage> split(FrameMessage frame) {
        if (splitter == null) {
            splitter = splitters.get();
        }
        return splitter.split(frame);
    }

    private int bundle(TaskMessage message, Map<Integer, NodeInfo> homesNow) {
        onMessage.accept(message);
        NodeInfo place = homesNow.get(message.task());
        if (place == null) {
            LOG.warn("No remote destination available for task {}", message.task()); // Upstream's message.
        } else {
            bundle(message, place);
        }
        return 1;
    }

    private void bundle(TaskMessage message, NodeInfo place) {
        bundles.computeIfAbsent(place, added -> new ArrayList<>()).add(message);
    }

    private void send(IConnection connection, NodeInfo place, List<TaskMessage> messages, boolean mayWait) {
        if (messages.isEmpty()) {
            return;
        }
        if (connection == null) {
            LOG.warn("Connection not available for hostPort {}", place); // Upstream's message, too.
        } else if (rings != null && carriesFrames.test(connection)) {
            rings.send(connection, messages, mayWait);
        } else {
            connection.send(messages.iterator());
        }
    }

    private Homes look(Map<Integer, NodeInfo> map) {
        Homes known = homes;
        return known.map == map ? known : lookAnew(map);
    }

    /** Upstream makes a new map every few seconds, which is usually equal to the old one. */
    private synchronized Homes lookAnew(Map<Integer, NodeInfo> map) {
        Homes before = homes;
        if (before.map != map) {
            homes = before.map.equals(map) ? new Homes(map, before.places, before.byTask) : Homes.of(map);
        }
        return homes;
    }

    /** The lanes of a task by these homes; null until the sending thread has emptied those by the homes before. */
    private synchronized Lanes renew(int source, Homes now) {
        Lanes before = lanes.get(source);
        if (before != null && before.byTask == now.byTask) {
            return before;
        }
        if (before != null && !before.tryClose()) {
            return null;
        }
        Lanes renewed = new Lanes(now);
        lanes.set(source, renewed);
        return renewed;
    }

    /** The lanes of one task. */
    private final class Lanes {
        private final int[] byTask;
        private final NodeInfo[] places;
        private final AtomicReferenceArray<FrameLane> byPlace;

        Lanes(Homes homes) {
            byTask = homes.byTask;
            places = homes.places;
            byPlace = new AtomicReferenceArray<>(places.length);
        }

        FrameLane lane(int place) {
            FrameLane lane = byPlace.get(place);
            if (lane == null) {
                FrameLane made = new FrameLane(places[place], byTask, queue, pool, splitters);
                lane = byPlace.compareAndSet(place, null, made) ? made : byPlace.get(place);
            }
            return lane;
        }

        /**
         * Closes them if they are empty; returns whether they are closed. Without that, a thread that serializes a tuple for one of them
         * meanwhile would add it later, and the next one of the same thread could leave before it, by a new lane.
         */
        boolean tryClose() {
            for (int i = 0; i < byPlace.length(); i++) {
                if (!lane(i).tryClose()) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The worker of each task. Homes that are equal have the same arrays. */
    private static final class Homes {
        private final Map<Integer, NodeInfo> map;
        private final NodeInfo[] places;
        /** The index of each task's worker, or -1. */
        private final int[] byTask;

        Homes(Map<Integer, NodeInfo> map, NodeInfo[] places, int[] byTask) {
            this.map = map;
            this.places = places;
            this.byTask = byTask;
        }

        static Homes of(Map<Integer, NodeInfo> map) {
            int lastTask = map.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
            List<NodeInfo> places = map.values().stream().distinct().toList();
            int[] byTask = new int[lastTask + 1];
            for (int task = 0; task <= lastTask; task++) {
                byTask[task] = places.indexOf(map.get(task));
            }
            return new Homes(map, places.toArray(new NodeInfo[0]), byTask);
        }

        int place(int task) {
            return task >= 0 && task < byTask.length ? byTask[task] : -1;
        }
    }
}
