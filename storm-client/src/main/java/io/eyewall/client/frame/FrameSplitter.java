package io.eyewall.client.frame;

import io.eyewall.client.substitute.UnreadableTuples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.ITupleSerializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;

/**
 * Makes the messages that upstream would send from a frame of this worker's, where the frame cannot leave as it is: the other worker reads
 * no frames, or the tasks of the frame are in several workers by now. For one thread.
 */
public final class FrameSplitter {

    private final FrameReader reader;
    private final ITupleSerializer serializer;
    private final List<AddressedTuple> tuples = new ArrayList<>();

    /**
     * A splitter of the frames of a topology.
     *
     * @param wires what travels with the tuples of the frames; the serializer takes it along
     * @param drops learns of tuples that cannot be read
     */
    public FrameSplitter(Map<String, Object> topologyConf, GeneralTopologyContext context, FrameWires wires, UnreadableTuples drops) {
        this(new FrameReader(topologyConf, context, wires.wires().get(), drops), new KryoTupleSerializer(topologyConf, context));
    }

    /** A splitter whose messages that serializer writes. */
    FrameSplitter(FrameReader reader, ITupleSerializer serializer) {
        this.reader = reader;
        this.serializer = serializer;
    }

    /** The messages of a frame, one for each tuple, in order. */
    List<TaskMessage> split(FrameMessage frame) {
        byte[] bytes = frame.message();
        try {
            reader.read(bytes, 0, bytes.length, tuples);
        } catch (FrameException e) {
            throw new IllegalStateException("This worker cannot read a frame that it has written: " + e.getMessage(), e);
        }
        List<TaskMessage> messages = new ArrayList<>(tuples.size());
        for (AddressedTuple tuple : tuples) {
            if (tuple.getDest() > Short.MAX_VALUE) {
                throw new IllegalStateException("Task " + tuple.getDest() + " is in a worker that reads no frames, and Storm's own messages"
                    + " go to tasks up to " + Short.MAX_VALUE + ". Give the topology fewer tasks.");
            }
            messages.add(new TaskMessage(tuple.getDest(), serializer.serialize(tuple.getTuple())));
        }
        tuples.clear();
        return messages;
    }
}
