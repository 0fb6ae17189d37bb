package io.eyewall.client.stream.manager;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.shade.org.apache.zookeeper.data.ACL;
import org.apache.storm.utils.Utils;

/**
 * The containers of a topology that have a stream manager, whether or not anything is assigned to them: an ephemeral node in ZooKeeper for
 * each process, which holds the name of its host. The nodes are below a path that Storm made for such nodes and removes with the topology.
 * A container that has lost all of its executors is there until its last tuple has arrived. Used by one thread at a time.
 */
final class ContainerBoard {

    /** The node of a Supervisor, its port, and a number of the process. */
    private static final Pattern NAME = Pattern.compile("(.+)-(\\d{1,5})-[0-9a-f]{1,16}");

    private final IStateStorage storage;
    private final String root;
    private final NodeInfo self;
    private final String name;
    private final byte[] host;
    private final List<ACL> acls;
    /** By the name of a node. */
    private final Map<String, String> hosts = new HashMap<>();
    /** The other containers when they were read last; null before that. */
    private Map<NodeInfo, String> last;
    private boolean isUp;

    /**
     * The board of a topology, on which this container is not so far.
     *
     * @param host the name by which others reach this container
     * @throws RuntimeException if ZooKeeper cannot be reached
     */
    ContainerBoard(IStateStorage storage, String topologyId, Map<String, Object> topologyConf, NodeInfo self, String host) {
        this.storage = storage;
        this.self = self;
        this.host = host.getBytes(StandardCharsets.UTF_8);
        name = self.get_node() + "-" + self.get_port_iterator().next() + "-" + Long.toHexString(new SecureRandom().nextLong());
        root = ClusterUtils.backpressureStormRoot(topologyId);
        acls = Utils.getWorkerACL(topologyConf); // Nimbus reads them as well: one that starts checks the permissions of all nodes.
        storage.mkdirs(root, acls);
    }

    /**
     * Puts up this process if it is not on the board, and returns the other containers with their hosts. So of two that start, at least one
     * sees the other. A node vanishes with its session. When the topology has been killed, and the nodes with it, the containers are those
     * that there were.
     *
     * @throws RuntimeException if ZooKeeper cannot be reached
     */
    Map<NodeInfo, String> others() {
        try {
            last = read();
        } catch (RuntimeException e) {
            if (last == null || !Utils.exceptionCauseIsInstanceOf(KeeperException.NoNodeException.class, e)) {
                throw e;
            }
        }
        return last;
    }

    private Map<NodeInfo, String> read() {
        List<String> names;
        do {
            if (!isUp) {
                storage.set_ephemeral_node(path(name), host, acls);
            }
            names = storage.get_children(root, false);
            isUp = names.contains(name);
        } while (!isUp);
        hosts.keySet().retainAll(names);
        Map<NodeInfo, String> others = new HashMap<>();
        for (String each : names) {
            Matcher parts = NAME.matcher(each);
            if (parts.matches()) { // Else it is none of these nodes.
                NodeInfo place = new NodeInfo(parts.group(1), Set.of(Long.valueOf(parts.group(2))));
                if (!place.equals(self) && isKnown(each)) {
                    others.put(place, hosts.get(each));
                }
            }
        }
        return others;
    }

    private boolean isKnown(String node) {
        if (!hosts.containsKey(node)) {
            byte[] data = storage.get_data(path(node), false);
            if (data == null) {
                return false; // It has just gone.
            }
            hosts.put(node, new String(data, StandardCharsets.UTF_8));
        }
        return true;
    }

    private String path(String node) {
        return root + ClusterUtils.ZK_SEPERATOR + node;
    }
}
