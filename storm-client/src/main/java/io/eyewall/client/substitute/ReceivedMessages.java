package io.eyewall.client.substitute;

import io.eyewall.client.seam.BufferCallback;
import io.eyewall.client.seam.TupleWire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.messaging.DeserializingConnectionCallback;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;

/**
 * Upstream's way from a transport to the queues of a worker. It also takes messages that are in the memory of a transport. A message that
 * is no tuple of the topology is dropped, counted and logged; with upstream's way the worker ends.
 */
public class ReceivedMessages extends DeserializingConnectionCallback implements BufferCallback {

    /** The task that messages between workers about a rebalance without restarts are addressed to. Storm's tasks begin at 1. */
    public static final int MARKER_TASK = 0;

    private final Map<String, Object> topologyConf;
    private final GeneralTopologyContext context;
    private final WorkerState.ILocalTransferCallback queues;
    private final Supplier<TupleWire> wires;
    private final LoggedDrops drops;
    private final TupleSources sources;
    private final ThreadLocal<KryoTupleDeserializer> deserializers;
    private final BitSet tasks = new BitSet();
    // For the thread that takes messages.
    private TupleReader reader;
    private ArrayList<AddressedTuple> taken = new ArrayList<>();

    /**
     * The callback of one worker.
     *
     * @param queues takes tuples to their executors' queues
     * @param wires makes the wire that reads behind tuples, or null; called on the thread that will use it
     * @param takesMarkers whether there is a queue for {@link #MARKER_TASK}
     * @param drops learns of what is dropped
     */
    public ReceivedMessages(Map<String, Object> topologyConf, GeneralTopologyContext context, WorkerState.ILocalTransferCallback queues,
            Supplier<TupleWire> wires, boolean takesMarkers, LoggedDrops drops) {
        super(topologyConf, context, queues);
        this.topologyConf = topologyConf;
        this.context = context;
        this.queues = queues;
        this.wires = wires;
        this.drops = drops;
        sources = new TupleSources(context);
        deserializers = ThreadLocal.withInitial(() -> new KryoTupleDeserializer(topologyConf, context));
        context.getTaskToComponent().keySet().stream().filter(task -> task >= 0).forEach(tasks::set);
        tasks.set(MARKER_TASK, takesMarkers);
    }

    @Override
    public void recv(List<TaskMessage> batch) {
        KryoTupleDeserializer deserializer = deserializers.get();
        ArrayList<AddressedTuple> tuples = new ArrayList<>(batch.size());
        for (TaskMessage message : batch) {
            if (!isTask(message.task())) {
                drops.dropped(message.task(), null);
                continue;
            }
            try {
                tuples.add(addressed(message.task(), deserializer.deserialize(message.message())));
            } catch (RuntimeException | LinkageError | StackOverflowError | OutOfMemoryError e) { // Kryo believes lengths that it reads.
                dropped(message.task(), ByteBuffer.wrap(message.message() == null ? new byte[0] : message.message()), e);
            }
        }
        queues.transfer(tuples);
    }

    @Override
    public void take(int task, ByteBuffer message) {
        if (reader == null) {
            reader = new TupleReader(topologyConf, context, wires.get());
        }
        if (!isTask(task)) {
            drops.dropped(task, null);
            return;
        }
        int start = message.position();
        try {
            taken.add(addressed(task, reader.read(message)));
        } catch (RuntimeException | LinkageError | StackOverflowError | OutOfMemoryError e) { // Kryo believes the lengths that it reads.
            dropped(task, message.position(start), e);
            message.position(message.limit());
        }
    }

    private void dropped(int task, ByteBuffer message, Throwable cause) {
        LoggedDrops.Source source = sources.of(message);
        if (source.equals(LoggedDrops.UNKNOWN)) {
            drops.dropped(task, cause);
        } else {
            drops.dropped(source.component(), source.stream(), cause);
        }
    }

    @Override
    public void deliver() {
        if (!taken.isEmpty()) {
            ArrayList<AddressedTuple> tuples = taken;
            taken = new ArrayList<>(tuples.size());
            queues.transfer(tuples);
        }
    }

    /** Upstream reads a tuple of a stream that its component does not have, too. */
    private static AddressedTuple addressed(int task, Tuple tuple) {
        if (tuple.getSourceStreamId() == null) {
            throw new IllegalArgumentException(tuple.getSourceComponent() + " has no stream of that number");
        }
        return new AddressedTuple(task, tuple);
    }

    private boolean isTask(int task) {
        return task >= 0 && tasks.get(task);
    }
}
