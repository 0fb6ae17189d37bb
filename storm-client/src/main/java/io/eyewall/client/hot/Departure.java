package io.eyewall.client.hot;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out when a worker that has nothing left to run holds no more tuples, and when no tuple is on its way to it or from it.
 *
 * <pre>
 *  departing worker                         each other worker
 *    announces its departure ─────────────────► routes nothing to it
 *    waits for all of them  ◄───────── LAST ──── behind its last tuple
 *    forwards its tuples
 *    behind the last tuple ────── FAREWELL ────► has put all tuples into queues
 *    waits for all of them  ◄─────── RECEIVED ── announces nothing, keeps nothing
 *    is done: its Supervisor may end it
 * </pre>
 *
 * <p>Markers travel on the connections behind the tuples, so their arrival says that the tuples have arrived. They are repeated every
 * second, since a connection may break. A worker that leaves the board is not waited for. A worker that joins the board after the departure
 * was announced sees the departure before it sends anything, because both announce before they read. A worker that is done stays done,
 * whatever it is assigned, because its Supervisor may end it at any moment.
 *
 * <p>Used by the conducting thread, except {@link #received}.
 */
final class Departure {

    private static final Logger LOG = LoggerFactory.getLogger(Departure.class);

    private static final long REPEAT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(30);

    private final WorkerEnvironment environment;
    private final PeerConnections connections;
    private final TransferFence fence;
    private final Runnable wake;

    /** The markers that have arrived for this departure. The threads of the network add to it. */
    private final Set<Marker> arrived = ConcurrentHashMap.newKeySet();
    /** When each marker was sent last. */
    private final Map<Marker, Map<WorkerPlace, Long>> sentAtNs = new HashMap<>();

    private long id;
    /** How often the board had been read when ZooKeeper stored the announcement; negative before that. */
    private long announcedAtRead = -1;
    private boolean done;
    private long reportedAtNs;

    /** Made for a worker that has something to run; {@code wake} wakes the conducting thread. */
    Departure(WorkerEnvironment environment, PeerConnections connections, TransferFence fence, Runnable wake) {
        this.environment = environment;
        this.connections = connections;
        this.fence = fence;
        this.wake = wake;
    }

    /** Called when a marker has arrived and every tuple before it is in a queue of this worker; on a thread of the network. */
    void received(Marker marker) {
        if (arrived.add(marker)) {
            wake.run();
        }
    }

    /** The number of this departure, for the announcement; 0 while the worker has something to run. */
    long id() {
        return id;
    }

    /** Whether this worker holds no more tuples and none of its tuples is under way. Once true, it stays true. */
    boolean isDone() {
        return done;
    }

    /** Begins a departure, or gives it up. Called before the worker announces. */
    void update(boolean nothingToRun) {
        if (!done && nothingToRun != (id != 0)) {
            id = nothingToRun ? environment.newDeparture() : 0;
            announcedAtRead = -1;
        }
    }

    /** Called when ZooKeeper has stored the announcement; returns whether the board must be read again. */
    boolean announced(long reads) {
        if (id == 0 || announcedAtRead >= 0) {
            return false;
        }
        announcedAtRead = reads;
        reportedAtNs = environment.nowNs();
        return true;
    }

    /**
     * Takes the next step towards the end of this worker.
     *
     * @param view the announcements of the other workers
     * @param reads how often the board has been read
     * @param backlog how many tuples this worker still has to forward
     */
    void advance(TopologyView view, long reads, long backlog) {
        if (id == 0 || done || announcedAtRead < 0 || reads <= announcedAtRead) {
            return;
        }
        Set<WorkerPlace> peers = view.others().keySet();
        Set<WorkerPlace> unheard = missing(peers, Marker.Kind.LAST);
        if (!unheard.isEmpty() || backlog > 0) {
            report(unheard, backlog);
            return;
        }
        Set<WorkerPlace> unsure = missing(peers, Marker.Kind.RECEIVED);
        unsure.forEach(peer -> send(peer, new Marker(Marker.Kind.FAREWELL, environment.here(), id)));
        report(unsure, 0);
        done = unsure.isEmpty();
    }

    /** Replies to the other workers that depart; {@code homes} is where this worker sends tuples. */
    void reply(TopologyView view, Map<Integer, WorkerPlace> homes) {
        Set<WorkerPlace> used = new HashSet<>(homes.values());
        Set<Long> current = new HashSet<>();
        current.add(id);
        view.others().forEach((place, announcement) -> {
            current.add(announcement.departure());
            if (announcement.departure() != 0 && !used.contains(place)) {
                send(place, new Marker(Marker.Kind.LAST, environment.here(), announcement.departure()));
                if (arrived.contains(new Marker(Marker.Kind.FAREWELL, place, announcement.departure()))) {
                    send(place, new Marker(Marker.Kind.RECEIVED, environment.here(), announcement.departure()));
                }
            }
        });
        sentAtNs.keySet().removeIf(marker -> !current.contains(marker.departure()));
        arrived.removeIf(marker -> !current.contains(marker.departure()));
    }

    private Set<WorkerPlace> missing(Set<WorkerPlace> peers, Marker.Kind kind) {
        Set<WorkerPlace> missing = new HashSet<>(peers);
        missing.removeIf(peer -> arrived.contains(new Marker(kind, peer, id)));
        return missing;
    }

    private void send(WorkerPlace place, Marker marker) {
        Map<WorkerPlace, Long> at = sentAtNs.computeIfAbsent(marker, first -> new HashMap<>());
        long nowNs = environment.nowNs();
        if (connections.isReachable(place) && (!at.containsKey(place) || nowNs - at.get(place) > REPEAT_NS)) {
            at.put(place, nowNs);
            fence.request(() -> connections.send(place, marker));
        }
    }

    private void report(Set<WorkerPlace> waitingFor, long backlog) {
        if (environment.nowNs() - reportedAtNs > REPORT_NS) {
            reportedAtNs = environment.nowNs();
            LOG.info("This worker has nothing to run. It ends when it has sent on {} tuples and heard from these workers: {}.", backlog,
                waitingFor);
        }
    }
}
