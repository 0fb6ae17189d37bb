package io.eyewall.scheduler.henge;

import io.eyewall.client.settings.tail.TechniqueOrders;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;

/** A ZooKeeper in memory for {@link TechniqueNodes}, which can fail. */
final class StoredNodes {

    /** The contents by path. */
    final SortedMap<String, byte[]> nodes = new TreeMap<>();
    /** How many of the next calls succeed. */
    int callsUntilDown = Integer.MAX_VALUE;
    /** How many calls have failed. */
    int failures;
    /** How often the nodes of all topologies were listed. */
    int listings;

    TechniqueNodes techniques(LongSupplier clockMs) {
        return new TechniqueNodes(this::storage, new ClusterStateContext(DaemonType.NIMBUS, Map.of()), clockMs);
    }

    /** What a topology's node says; null if there is none. */
    String order(String topologyId) {
        byte[] node = nodes.get(TechniqueOrders.path(topologyId));
        return node == null ? null : new String(node, StandardCharsets.UTF_8);
    }

    private IStateStorage storage() {
        return (IStateStorage) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {IStateStorage.class},
            (proxy, method, arguments) -> {
                if (callsUntilDown-- <= 0) {
                    callsUntilDown = 0;
                    failures++;
                    throw new IllegalStateException("ZooKeeper is down");
                }
                return answer(method.getName(), arguments);
            });
    }

    private Object answer(String method, Object... arguments) {
        String path = (String) arguments[0];
        return switch (method) {
            case "node_exists" -> nodes.containsKey(path);
            case "get_children" -> children(path);
            case "get_data" -> nodes.get(path);
            case "set_data" -> put(path, (byte[]) arguments[1]);
            case "mkdirs" -> put(path, new byte[0]);
            case "delete_node" -> put(path, null);
            default -> throw new UnsupportedOperationException(method);
        };
    }

    private Object put(String path, byte[] contents) {
        if (contents == null) {
            nodes.remove(path);
        } else {
            nodes.put(path, contents);
        }
        return null;
    }

    private List<String> children(String path) {
        listings++;
        return nodes.keySet().stream().filter(node -> node.startsWith(path + "/")).map(node -> node.substring(path.length() + 1)).toList();
    }
}
