package io.eyewall.client.hot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.shade.org.apache.zookeeper.data.ACL;

/**
 * Where the workers of a topology announce their tasks: one ephemeral node each in ZooKeeper, below a path that Storm has for such nodes,
 * watches, and clears away with the topology, and no longer uses. A worker that dies leaves the board with its session.
 *
 * <p>Every method but {@link #close()} throws {@link RuntimeException} while ZooKeeper cannot be reached. Used by one thread at a time.
 */
final class Board implements AutoCloseable {

    private final IStateStorage storage;
    private final String root;
    private final WorkerPlace here;
    private final List<ACL> acls;
    private final String registration;
    /** Whether this process has put up the node that is there: one of its predecessor's would go with that one's session. */
    private boolean isUp;
    private Announcement announced;

    /**
     * Opens the board of a topology.
     *
     * @param changed is called by a thread of ZooKeeper's whenever what {@link #others()} would answer may have changed since
     */
    Board(IStateStorage storage, String topologyId, Map<String, Object> topologyConf, WorkerPlace here, Runnable changed) {
        this.storage = storage;
        this.here = here;
        root = ClusterUtils.backpressureStormRoot(topologyId);
        acls = ClusterUtils.mkTopoReadWriteAcls(topologyConf);
        storage.mkdirs(root, acls);
        registration = storage.register((type, path) -> {
            if (path.startsWith(root)) {
                changed.run();
            }
        });
    }

    /** Puts up what this worker has to say, if it is not there already. */
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

    /** What the other workers have put up, each once more watched. */
    Map<WorkerPlace, Announcement> others() {
        Map<WorkerPlace, Announcement> others = new HashMap<>();
        List<String> names = storage.get_children(root, true);
        isUp = isUp && names.contains(here.name());
        for (String name : names) {
            if (!name.equals(here.name())) {
                byte[] data = storage.get_data(root + ClusterUtils.ZK_SEPERATOR + name, true);
                Announcement announcement = data == null ? null : Announcement.decode(data);
                if (announcement != null) {
                    others.put(WorkerPlace.parse(name), announcement);
                }
            }
        }
        return others;
    }

    @Override
    public void close() {
        storage.unregister(registration);
    }

    private String path(WorkerPlace place) {
        return root + ClusterUtils.ZK_SEPERATOR + place.name();
    }
}
