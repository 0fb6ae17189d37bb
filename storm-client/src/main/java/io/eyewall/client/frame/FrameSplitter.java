package io.eyewall.client.frame;

import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.substitute.LoggedDrops;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.ITupleSerializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;

/**
 * Makes the messages that upstream would send from a frame of this worker's, where the frame cannot leave as it is: the other worker reads
 * no frames, or the tasks of the frame are in several workers by now. For one thread.
 */
public final class FrameSplitter {

    private final FrameReader reader;
    private final ITupleSerializer serializer;
    private final TupleLimit limit;
    private final LoggedDrops drops;

    /**
     * A splitter of the frames of a topology.
     *
     * @param wires what travels with the tuples of the frames; the serializer takes it along
     * @param limit how long a tuple may be by itself, which may be longer than in the frame
     * @param drops learns of tuples that cannot be read or written
     */
    public FrameSplitter(Map<String, Object> topologyConf, GeneralTopologyContext context, FrameWires wires, TupleLimit limit,
            LoggedDrops drops) {
        this(new FrameReader(topologyConf, context, wires.wires().get(), drops), new KryoTupleSerializer(topologyConf, context), limit,
            drops);
    }

    /** A splitter whose messages that serializer writes. */
    FrameSplitter(FrameReader reader, ITupleSerializer serializer, TupleLimit limit, LoggedDrops drops) {
        this.reader = reader;
        this.serializer = serializer;
        this.limit = limit;
        this.drops = drops;
    }

    /** The messages of a frame, one for each tuple, in order. A tuple that cannot go as a message is dropped, and no other. */
    List<TaskMessage> split(FrameMessage frame) {
        byte[] bytes = frame.message();
        List<AddressedTuple> tuples = new ArrayList<>(frame.tuples());
        try {
            reader.read(bytes, 0, bytes.length, tuples);
        } catch (FrameException e) {
            throw new IllegalStateException("This worker cannot read a frame that it has written: " + e.getMessage(), e);
        }
        List<TaskMessage> messages = new ArrayList<>(tuples.size());
        for (AddressedTuple addressed : tuples) {
            Tuple tuple = addressed.getTuple();
            try {
                messages.add(message(addressed.getDest(), tuple));
            } catch (RuntimeException | LinkageError | StackOverflowError | OutOfMemoryError e) { // What a serializer may throw.
                drops.unsent(addressed.getDest(), tuple.getSourceComponent(), tuple.getSourceStreamId(), e);
            }
        }
        return messages;
    }

    private TaskMessage message(int task, Tuple tuple) {
        if (task > Short.MAX_VALUE) {
            throw new IllegalArgumentException("Storm's own messages go to tasks up to " + Short.MAX_VALUE
                + ". Give the topology fewer tasks.");
        }
        byte[] message = serializer.serialize(tuple);
        limit.require(task, tuple, message.length);
        return new TaskMessage(task, message);
    }
}
