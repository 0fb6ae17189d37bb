package io.eyewall.client.hot;

import java.util.Map;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.tuple.AddressedTuple;

/** The transfer queue of a worker. */
final class StormTupleTransfer implements TupleTransfer {

    private final WorkerState worker;
    private final Map<String, Object> topologyConf;
    /** Made by the thread that uses it. */
    private KryoTupleSerializer serializer;

    StormTupleTransfer(WorkerState worker, Map<String, Object> topologyConf) {
        this.worker = worker;
        this.topologyConf = topologyConf;
    }

    @Override
    public boolean trySend(AddressedTuple tuple) {
        if (serializer == null) {
            serializer = new KryoTupleSerializer(topologyConf, worker.getWorkerTopologyContext());
        }
        return worker.tryTransferRemote(tuple, null, serializer);
    }

    @Override
    public void flush() {
        try {
            worker.flushRemotes();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
