package io.eyewall.client.hot;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.Constants;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.tuple.TupleImpl;

/** The connections of Storm's messaging. A marker is a tuple of the system's, addressed to a task that no topology has. */
final class StormPeerConnections implements PeerConnections {

    private static final byte[] FENCE = {};

    private final WorkerState worker;
    private final WorkerConnections connections;
    private final WorkerPlace here;
    private final Map<String, Object> topologyConf;
    /** Created by the thread that uses it. */
    private KryoTupleSerializer serializer;

    StormPeerConnections(WorkerState worker, WorkerConnections connections, WorkerPlace here, Map<String, Object> topologyConf) {
        this.worker = worker;
        this.connections = connections;
        this.here = here;
        this.topologyConf = topologyConf;
    }

    @Override
    public void connect(Set<WorkerPlace> places, Map<String, String> hosts) {
        connections.connect(nodes(places), hosts);
    }

    @Override
    public boolean isReachable(WorkerPlace place) {
        return connections.isReachable(place.nodeInfo());
    }

    @Override
    public void route(Map<Integer, WorkerPlace> homes) {
        Map<Integer, NodeInfo> nodes = new HashMap<>();
        homes.forEach((task, place) -> nodes.put(task, place.nodeInfo()));
        nodes.put(Marker.TASK, here.nodeInfo()); // The destination of fences.
        connections.route(nodes);
    }

    @Override
    public void retain(Collection<WorkerPlace> places) {
        connections.retain(nodes(places));
    }

    @Override
    public boolean tryFence() {
        return connections.tryTransfer(new TaskMessage(Marker.TASK, FENCE));
    }

    @Override
    public void send(WorkerPlace place, Marker marker) {
        if (serializer == null) {
            serializer = new KryoTupleSerializer(topologyConf, worker.getWorkerTopologyContext());
        }
        byte[] message = serializer.serialize(new TupleImpl(worker.getWorkerTopologyContext(), marker.values(),
            Constants.SYSTEM_COMPONENT_ID, (int) Constants.SYSTEM_TASK_ID, Constants.SYSTEM_TICK_STREAM_ID));
        connections.send(place.nodeInfo(), List.of(new TaskMessage(Marker.TASK, message)));
    }

    private static Set<NodeInfo> nodes(Collection<WorkerPlace> places) {
        return places.stream().map(WorkerPlace::nodeInfo).collect(Collectors.toSet());
    }
}
