package io.eyewall.client.frame;

import static io.eyewall.client.frame.FrameFormat.unzigzag;

import com.esotericsoftware.kryo.io.Input;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.security.BoundedInput;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import io.eyewall.client.substitute.UnreadableTuples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.SerializationFactory.IdDictionary;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;

/**
 * Reads the tuples that a {@link FrameWriter} has written. Does not trust the lengths in the frame. What it allocates is limited by the
 * bytes of the frame, except for what the serializers of the topology allocate for values that Kryo has written. For one thread.
 */
public final class FrameReader {

    /** A tuple has a head and at least the number of its values, or a value. */
    private static final int MIN_BYTES_OF_A_TUPLE = 2;
    private static final int MIN_BYTES_OF_AN_ANCHOR = 1 + Long.BYTES;

    private final GeneralTopologyContext context;
    private final TupleWire wire;
    private final UnreadableTuples unreadable;
    private final IdDictionary streams;
    private final KryoValuesDeserializer kryo;
    private final Input kryoInput = BoundedInput.of(1);
    private final FrameInput in = new FrameInput();
    private final ValueReader values = new ValueReader();
    // The last tuple of the frame, as FrameFormat says.
    private int task;
    private boolean knowsTask;
    private int sourceTask;
    private String component;
    private String stream;
    private long root;

    /**
     * A reader of the tuples of a topology.
     *
     * @param wire reads trailers; null leaves them out
     */
    public FrameReader(Map<String, Object> topologyConf, GeneralTopologyContext context, TupleWire wire, UnreadableTuples unreadable) {
        this.context = context;
        this.wire = wire;
        this.unreadable = unreadable;
        streams = new IdDictionary(context.getRawTopology());
        kryo = new KryoValuesDeserializer(topologyConf);
    }

    /**
     * Reads a frame, and adds its tuples to a list.
     *
     * @throws FrameException if it is not a frame of this topology and of a version that this worker reads; the list is as it was
     */
    public void read(byte[] frame, int offset, int lengthBytes, List<AddressedTuple> tuples) throws FrameException {
        int before = tuples.size();
        boolean complete = false;
        try {
            readFrame(frame, offset, lengthBytes, tuples);
            complete = true;
        } finally {
            if (!complete) {
                tuples.subList(before, tuples.size()).clear();
            }
        }
    }

    private void readFrame(byte[] frame, int offset, int lengthBytes, List<AddressedTuple> tuples) throws FrameException {
        in.begin(frame, offset, lengthBytes);
        int version = lengthBytes == 0 ? 0 : in.readByte();
        if (version != FrameFormat.VERSION) {
            throw new FrameException("it sent a frame of version " + version + ", and this worker reads version " + FrameFormat.VERSION);
        }
        if (lengthBytes < FrameFormat.HEAD_BYTES || in.readInt() != lengthBytes - FrameFormat.HEAD_BYTES) {
            throw new FrameException("it sent a frame that is not as long as its head says");
        }
        int count = in.readInt();
        if (count < 0 || count > in.remaining() / MIN_BYTES_OF_A_TUPLE) {
            throw new FrameException("it sent a frame of " + in.remaining() + " bytes that cannot hold " + count + " tuples");
        }
        if (tuples instanceof ArrayList<AddressedTuple> list) { // It would grow several times, which costs a third of the reading.
            list.ensureCapacity(list.size() + count);
        }
        task = 0;
        knowsTask = false;
        sourceTask = 0;
        component = null;
        stream = null;
        root = 0;
        for (int i = 0; i < count; i++) {
            readTuple(tuples);
        }
        if (in.remaining() != 0) {
            throw new FrameException("it sent a frame with " + in.remaining() + " bytes behind its last tuple");
        }
    }

    private void readTuple(List<AddressedTuple> tuples) throws FrameException {
        int head = in.readByte();
        if ((head & FrameFormat.DESTINATION) != 0) {
            readDestination();
        }
        if ((head & FrameFormat.SOURCE) != 0) {
            readSource();
        }
        if (component == null || !knowsTask) {
            throw new FrameException("it sent a frame whose first tuple lacks its source or destination");
        }
        MessageId id = readAnchors(head & FrameFormat.ANCHORS);
        TupleImpl tuple = (head & FrameFormat.TRAILER) == 0 ? readValues(head, id) : readWithTrailer(head, id);
        if (tuple != null) {
            tuples.add(new AddressedTuple(task, tuple));
        }
    }

    private void readDestination() throws FrameException {
        task += unzigzag(in.readVarInt());
        if (context.getComponentId(task) == null) {
            throw new FrameException("it sent a tuple to task " + task + ", which this topology does not have");
        }
        knowsTask = true;
    }

    private void readSource() throws FrameException {
        sourceTask = in.readVarInt();
        int number = in.readVarInt();
        component = context.getComponentId(sourceTask);
        if (component == null) {
            throw new FrameException("it sent a tuple of task " + sourceTask + ", which this topology does not have");
        }
        stream = streams.getStreamName(component, number);
        if (stream == null) {
            throw new FrameException("it sent a tuple of stream " + number + " of " + component + ", which this topology does not have");
        }
    }

    private MessageId readAnchors(int kind) throws FrameException {
        return switch (kind) {
            case FrameFormat.NO_ANCHOR -> MessageId.makeUnanchored();
            case FrameFormat.NEAR_ANCHOR -> {
                root += unzigzag(in.readVarLong());
                yield new SingleAnchorMessageId(root, in.readLong());
            }
            case FrameFormat.FAR_ANCHOR -> {
                root = in.readLong();
                yield new SingleAnchorMessageId(root, in.readLong());
            }
            default -> readSeveralAnchors();
        };
    }

    private MessageId readSeveralAnchors() throws FrameException {
        int count = in.readLength();
        if (count > in.remaining() / MIN_BYTES_OF_AN_ANCHOR) {
            throw new FrameException("it sent a frame that ends within the anchors of a tuple");
        }
        Map<Long, Long> anchors = new HashMap<>();
        for (int i = 0; i < count; i++) {
            root += unzigzag(in.readVarLong());
            anchors.put(root, in.readLong());
        }
        return MessageId.makeId(anchors);
    }

    /** Returns null if the tuple is dropped. */
    private TupleImpl readWithTrailer(int head, MessageId id) throws FrameException {
        int lengthBytes = in.readInt();
        int start = in.skip(lengthBytes);
        int end = in.position();
        int behind = in.remaining();
        if (wire != null) {
            wire.reading(in.bytes(), end);
        }
        in.begin(in.bytes(), start, lengthBytes);
        TupleImpl tuple = readValues(head, id);
        if (wire != null && tuple != null) {
            kryoInput.setBuffer(in.bytes(), in.position(), in.remaining());
            wire.read(tuple, kryoInput);
        }
        in.begin(in.bytes(), end, behind);
        return tuple;
    }

    private TupleImpl readValues(int head, MessageId id) throws FrameException {
        if ((head & FrameFormat.KRYO) == 0) {
            int count = (head >>> FrameFormat.COUNT_SHIFT) & FrameFormat.MAX_COUNT_IN_HEAD;
            return tuple(values.read(in, count != 0 ? count : in.readLength()), id);
        }
        int lengthBytes = in.readLength();
        kryoInput.setBuffer(in.bytes(), in.skip(lengthBytes), lengthBytes);
        try {
            return tuple(kryo.deserializeFrom(kryoInput), id);
        } catch (RuntimeException | LinkageError | StackOverflowError | OutOfMemoryError e) { // Users' serializers may trust lengths.
            unreadable.dropped(component, stream, e);
            return null;
        }
    }

    private TupleImpl tuple(List<Object> read, MessageId id) {
        return new TupleImpl(context, read, component, sourceTask, stream, id);
    }
}
