package org.apache.storm.daemon.worker;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.tuple.Fields;
import org.objenesis.ObjenesisStd;

/**
 * A worker that has a topology, a transport, connections and homes of tasks, and nothing else: no executors, no Supervisor, no ZooKeeper.
 * Enough to make its transfer of tuples to other workers. The connections may change while that runs.
 */
public final class BareWorker {

    private static final String TOPOLOGY_ID = "bare-1-1";
    private static final int PORT = 6_700;

    private final WorkerState state = new ObjenesisStd().newInstance(WorkerState.class);
    private final AtomicReference<Map<NodeInfo, IConnection>> connections = new AtomicReference<>(Map.of());

    /** A worker of a topology whose components each have one stream, {@code default} with the field {@code value}. */
    public BareWorker(Map<String, Object> conf, IContext transport, StormTopology topology, Map<Integer, String> components,
            Map<Integer, NodeInfo> homes) {
        Map<String, Map<String, Fields>> streams = new HashMap<>();
        Map<String, List<Integer>> tasks = new HashMap<>();
        components.forEach((task, component) -> {
            streams.put(component, Map.of("default", new Fields("value")));
            tasks.computeIfAbsent(component, added -> new ArrayList<>()).add(task);
        });
        set("conf", conf);
        set("topologyConf", conf);
        set("mqContext", transport);
        set("topologyId", TOPOLOGY_ID);
        set("assignmentId", "node");
        set("port", PORT);
        set("topology", topology);
        set("systemTopology", topology);
        set("taskToComponent", components);
        set("componentToSortedTasks", tasks);
        set("componentToStreamToFields", streams);
        set("localTaskIds", new ArrayList<>());
        set("localExecutors", Set.of());
        set("defaultSharedResources", Map.of());
        set("userSharedResources", Map.of());
        set("endpointSocketLock", new ReentrantReadWriteLock());
        set("cachedTaskToNodePort", new AtomicReference<>(homes));
        set("cachedNodeToHost", new AtomicReference<>(Map.of()));
        set("cachedNodeToPortSocket", connections);
        set("metricRegistry", new StormMetricRegistry());
    }

    /** The worker. */
    public WorkerState state() {
        return state;
    }

    /** Has tuples go over these connections from now on; for any thread. */
    public void connect(Map<NodeInfo, IConnection> now) {
        connections.set(now);
    }

    private void set(String name, Object value) {
        try {
            Field field = WorkerState.class.getDeclaredField(name);
            field.setAccessible(true);
            field.set(state, value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Upstream's worker has changed.", e);
        }
    }
}
