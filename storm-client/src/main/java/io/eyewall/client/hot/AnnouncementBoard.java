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
import org.apache.storm.utils.Utils;

/**
 * The place where the workers of a topology announce their tasks: an ephemeral node in ZooKeeper for each worker. The nodes are below a
 * path that Storm made for such nodes and no longer uses. Storm still watches the path and removes it with the topology. When a worker
 * dies, its node vanishes with its session.
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
    /** The announcements of the others as last read, and below, the names of the workers that have announced something else since. */
    private final Map<String, Announcement> read = new HashMap<>();
    private final Set<String> stale = ConcurrentHashMap.newKeySet();
    /** Whether the node of this worker was written by this process. A node of its predecessor would vanish with that process's session. */
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
        acls = Utils.getWorkerACL(topologyConf); // Nimbus reads them as well: one that starts checks the permissions of all nodes.
        storage.mkdirs(root, acls);
        registration = storage.register((type, path) -> {
            if (path.startsWith(root)) {
                stale.add(path.substring(Math.min(path.length(), root.length() + 1)));
                changed.run();
            }
        });
    }

    /** Writes this worker's announcement, if it is not there already. */
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
     * Announces, for a worker that is about to start, that it runs those of these executors whose tasks no other worker runs or awaits, and
     * returns them. It reads the board once more after the announcement: of two workers that start the same task at the same time, at least
     * one sees the other.
     */
    Set<List<Long>> claim(Set<List<Long>> executors) {
        return claim(executors, () -> executors);
    }

    /**
     * The same for executors that were assigned to this worker a while ago. After the announcement it also reads which executors are {@code
     * assigned} now. A worker to which a newer assignment gives the executors waits from then on until this one announces something else.
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

    /** The announcements of the other workers, each read anew. */
    Map<WorkerPlace, Announcement> othersAfresh() {
        read.clear();
        return others();
    }

    /** The announcements of the other workers, each with a watch. */
    Map<WorkerPlace, Announcement> others() {
        List<String> names = storage.get_children(root, true);
        isUp = isUp && names.contains(here.name());
        if (!isUp || !remembers) {
            read.clear(); // Watches end with the session, as this worker's own node does.
        }
        read.keySet().retainAll(names);
        for (String name : names) {
            if (stale.remove(name)) {
                read.remove(name); // Removed before the read: if the read fails, the next call reads the node again, with its watch.
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
