package io.eyewall.client.substitute;

import io.eyewall.client.seam.BufferCallback;
import io.eyewall.client.seam.TupleWire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.messaging.DeserializingConnectionCallback;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;

/** Upstream's way from a transport to the queues of a worker. It also takes messages that are in the memory of a transport. */
public class ReceivedMessages extends DeserializingConnectionCallback implements BufferCallback {

    private final Map<String, Object> topologyConf;
    private final GeneralTopologyContext context;
    private final WorkerState.ILocalTransferCallback queues;
    private final Supplier<TupleWire> wires;
    // For the thread that takes messages.
    private TupleReader reader;
    private ArrayList<AddressedTuple> taken = new ArrayList<>();

    /**
     * The callback of one worker.
     *
     * @param queues takes tuples to their executors' queues
     * @param wires makes the wire that reads behind tuples, or null; called on the thread that will use it
     */
    public ReceivedMessages(Map<String, Object> topologyConf, GeneralTopologyContext context, WorkerState.ILocalTransferCallback queues,
            Supplier<TupleWire> wires) {
        super(topologyConf, context, queues);
        this.topologyConf = topologyConf;
        this.context = context;
        this.queues = queues;
        this.wires = wires;
    }

    @Override
    public void take(int task, ByteBuffer message) {
        if (reader == null) {
            reader = new TupleReader(topologyConf, context, wires.get());
        }
        taken.add(new AddressedTuple(task, reader.read(message)));
    }

    @Override
    public void deliver() {
        if (!taken.isEmpty()) {
            ArrayList<AddressedTuple> tuples = taken;
            taken = new ArrayList<>(tuples.size());
            queues.transfer(tuples);
        }
    }
}
