package io.eyewall.client.hot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.shade.org.apache.zookeeper.data.ACL;

/**
 * Where the workers of a topology announce their tasks: one ephemeral node each in ZooKeeper, below a path that Storm has for such nodes,
 * watches, and clears away with the topology, and no longer uses. A worker that dies leaves the board with its session.
 *
 * <p>Every method except {@link #close()} throws {@link RuntimeException} while ZooKeeper cannot be reached. Used by one thread at a time.
 */
final class AnnouncementBoard implements AutoCloseable {

    private final IStateStorage storage;
    private final String root;
    private final WorkerPlace here;
    private final List<ACL> acls;
    private final String registration;
    private final boolean remembers;
    /** What the others have put up, as far as it has been read, and the names of those that have put up something else since. */
    private final Map<String, Announcement> read = new HashMap<>();
    private final Set<String> stale = ConcurrentHashMap.newKeySet();
    /** Whether this process has put up the node that is there. A node of its predecessor would vanish with that process's session. */
    private boolean isUp;
    private Announcement announced;

    /**
     * Opens the board of a topology.
     *
     * @param remembers whether {@link #others()} may return an announcement that has just been replaced, as long as ZooKeeper has not
     *     called back; if not, it reads all announcements each time
     * @param changed runs on a thread of ZooKeeper when {@link #others()} may return something new
     */
    AnnouncementBoard(IStateStorage storage, String topologyId, Map<String, Object> topologyConf, WorkerPlace here, boolean remembers,
            Runnable changed) {
        this.storage = storage;
        this.here = here;
        this.remembers = remembers;
        root = ClusterUtils.backpressureStormRoot(topologyId);
        acls = ClusterUtils.mkTopoReadWriteAcls(topologyConf);
        storage.mkdirs(root, acls);
        registration = storage.register((type, path) -> {
            if (path.startsWith(root)) {
                stale.add(path.substring(Math.min(path.length(), root.length() + 1)));
                changed.run();
            }
        });
    }

    /** Puts up this worker's announcement, if it is not there already. */
    void announce(Announcement announcement) {
        if (isUp && announcement.equals(announced)) {
            return;
        }
        String path = path(here);
        if (!isUp) {
            storage.delete_node(path);
        }
        storage.set_ephemeral_node(path, announcement.encode(), acls);
        isUp = true;
        announced = announcement;
    }

    /**
     * Puts up that this worker, which is about to start, runs those of these executors whose tasks no other worker runs or awaits, and
     * returns them. It reads once more while that is up: of two workers that start the same task at the same time, at least one sees the
     * other.
     */
    Set<List<Long>> claim(Set<List<Long>> executors) {
        return claim(executors, () -> executors);
    }

    /**
     * The same for executors that were assigned to this worker a while ago. While the claim is up it also reads what is {@code assigned}
     * now. A worker that has the executors by a newer assignment waits from then on until this one announces something else.
     */
    Set<List<Long>> claim(Set<List<Long>> executors, Supplier<Set<List<Long>>> assigned) {
        Set<List<Long>> free = free(executors);
        do {
            putUp(free);
            read.clear();
            free = free(free);
            free.retainAll(assigned.get());
        } while (!isUp);
        putUp(free);
        return free;
    }

    /** Whether this worker's announcement was still there at the last read. It vanishes with the worker's session. */
    boolean isUp() {
        return isUp;
    }

    /** What the other workers have put up, each read anew. */
    Map<WorkerPlace, Announcement> othersAfresh() {
        read.clear();
        return others();
    }

    /** What the other workers have put up, each of them watched. */
    Map<WorkerPlace, Announcement> others() {
        List<String> names = storage.get_children(root, true);
        isUp = isUp && names.contains(here.name());
        if (!isUp || !remembers) {
            read.clear(); // Watches go with the session, as what this worker has put up does.
        }
        read.keySet().retainAll(names);
        for (String name : names) {
            if (stale.remove(name)) {
                read.remove(name); // Until it has been read: if that fails, it is read the next time, with its watch.
            }
            if (!name.equals(here.name()) && !read.containsKey(name)) {
                byte[] data = storage.get_data(root + ClusterUtils.ZK_SEPERATOR + name, true);
                read.put(name, data == null ? null : Announcement.decode(data));
            }
        }
        Map<WorkerPlace, Announcement> others = new HashMap<>();
        read.forEach((name, announcement) -> {
            if (announcement != null) {
                others.put(WorkerPlace.parse(name), announcement);
            }
        });
        return others;
    }

    @Override
    public void close() {
        storage.unregister(registration);
    }

    private Set<List<Long>> free(Set<List<Long>> executors) {
        TopologyView view = new TopologyView(here, Map.of(), others());
        return executors.stream().filter(executor -> view.mayStart(StormCommon.executorIdToTasks(executor))).collect(Collectors.toSet());
    }

    private void putUp(Set<List<Long>> executors) {
        Set<Integer> serves = executors.stream().map(StormCommon::executorIdToTasks).flatMap(List::stream).collect(Collectors.toSet());
        announce(new Announcement(serves, Set.of(), Set.of(), false, false, 0));
    }

    private String path(WorkerPlace place) {
        return root + ClusterUtils.ZK_SEPERATOR + place.name();
    }
}
