package io.eyewall.client.frame;

import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.substitute.SingleAnchorMessageId;
import java.util.List;
import java.util.Map;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.serialization.SerializationFactory.IdDictionary;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;

/**
 * Writes tuples into frames. Values of common types have a format of their own. A tuple with any other value has all of its values written
 * by Kryo, with the topology's registrations, in the bytes that upstream's serializer writes: what references, class names and a tuple
 * serializer of the user's do within a tuple stays as it is.
 *
 * <p>Allocates nothing for a tuple of common types. For one thread, which may fill many frames.
 */
public final class FrameWriter {

    private static final int FIRST_BYTES = 2_000;
    /** As in upstream's serializer of tuples. */
    private static final int MAX_BYTES = 2_000_000_000;

    private static final int OTHER_TYPES = -1;

    private final IdDictionary streams;
    private final boolean commonTypes;
    private final ValueWriter values = new ValueWriter();
    private final KryoValuesSerializer kryo;
    private final Output kryoOutput = new Output(FIRST_BYTES, MAX_BYTES);
    private final TupleWire wire;
    private final TupleLimit limit;
    /** The root of the last anchor that was written, while a tuple is being written. */
    private long root;

    /**
     * A writer for the tuples of a topology.
     *
     * @param wire writes trailers; null for none
     * @param limit how long a tuple may be
     */
    public FrameWriter(Map<String, Object> topologyConf, GeneralTopologyContext context, TupleWire wire, TupleLimit limit) {
        this.wire = wire;
        this.limit = limit;
        streams = new IdDictionary(context.getRawTopology());
        commonTypes = CommonTypes.areStorms(topologyConf);
        kryo = new KryoValuesSerializer(topologyConf);
    }

    /**
     * Adds a tuple to a frame, which then may be {@linkplain OpenFrame#isFull full}. If the tuple cannot be serialized, this throws what
     * upstream's serializer throws, and the frame is as it was. So it is after a tuple that is {@linkplain TupleLimit#require too long}.
     *
     * @param task the task that it is sent to
     */
    public void write(OpenFrame frame, int task, Tuple tuple) {
        if (!tryWrite(frame, task, tuple)) {
            serialize(tuple);
            writeSerialized(frame, task, tuple);
        }
    }

    /**
     * Adds a tuple to a frame if all of its values have common types, and runs no code of the topology's.
     *
     * @return false if they do not; the frame is as it was. The tuple has to be {@linkplain #serialize serialized}, and {@linkplain
     *     #writeSerialized written} then
     */
    boolean tryWrite(OpenFrame frame, int task, Tuple tuple) {
        if (wire != null) {
            wire.writing(tuple);
        }
        return commonTypes && tryWrite(frame, task, tuple, false);
    }

    /** Has Kryo serialize the values of a tuple, which may run code of the topology's. */
    void serialize(Tuple tuple) {
        kryoOutput.reset();
        kryo.serializeInto(tuple.getValues(), kryoOutput);
    }

    /** Adds the tuple that was serialized last to a frame. */
    void writeSerialized(OpenFrame frame, int task, Tuple tuple) {
        tryWrite(frame, task, tuple, true);
    }

    private boolean tryWrite(OpenFrame frame, int task, Tuple tuple, boolean serialized) {
        FrameBuffer out = frame.buffer();
        int start = out.position();
        boolean written = false;
        try {
            written = tryWrite(frame, out, task, tuple, serialized);
        } finally {
            if (!written) {
                out.reset(start);
            }
        }
        if (written) {
            frame.added(task, tuple.getSourceTask(), tuple.getSourceStreamId(), root);
        }
        return written;
    }

    private boolean tryWrite(OpenFrame frame, FrameBuffer out, int task, Tuple tuple, boolean serialized) {
        int headAt = out.skip(1);
        int head = 0;
        if (task != frame.task()) {
            head |= FrameFormat.DESTINATION;
            out.putVarInt(FrameFormat.zigzag(task - frame.task()));
        }
        if (!frame.comesFrom(tuple.getSourceTask(), tuple.getSourceStreamId())) {
            head |= FrameFormat.SOURCE;
            out.putVarInt(tuple.getSourceTask());
            out.putVarInt(streams.getStreamId(tuple.getSourceComponent(), tuple.getSourceStreamId()));
        }
        root = frame.root();
        head |= writeAnchors(out, tuple.getMessageId());
        int lengthAt = wire == null ? 0 : out.skip(Integer.BYTES);
        int kind = serialized ? writeSerializedValues(out) : writeValues(out, tuple.getValues());
        if (kind < 0) {
            return false;
        }
        head |= kind;
        if (wire != null) {
            head |= FrameFormat.TRAILER;
            kryoOutput.reset();
            wire.written(tuple, kryoOutput);
            out.putBytes(kryoOutput.getBuffer(), kryoOutput.position());
            out.setInt(lengthAt, out.position() - lengthAt - Integer.BYTES);
        }
        limit.require(task, tuple, out.position() - headAt);
        out.setByte(headAt, head);
        return true;
    }

    /** Returns the bits of the head for the anchors. */
    private int writeAnchors(FrameBuffer out, MessageId id) {
        if (id instanceof SingleAnchorMessageId anchor) {
            return writeAnchor(out, anchor.root(), anchor.id());
        }
        Map<Long, Long> anchors = id.getAnchorsToIds();
        if (anchors.isEmpty()) {
            return FrameFormat.NO_ANCHOR;
        }
        if (anchors.size() == 1) {
            Map.Entry<Long, Long> anchor = anchors.entrySet().iterator().next();
            return writeAnchor(out, anchor.getKey(), anchor.getValue());
        }
        out.putVarInt(anchors.size());
        for (Map.Entry<Long, Long> anchor : anchors.entrySet()) {
            writeNear(out, anchor.getKey(), anchor.getValue());
        }
        return FrameFormat.SEVERAL_ANCHORS;
    }

    private int writeAnchor(FrameBuffer out, long anchorRoot, long anchorId) {
        if (FrameFormat.zigzag(anchorRoot - root) >>> (FrameFormat.NEAR_ROOT_BYTES * 7) == 0) {
            writeNear(out, anchorRoot, anchorId);
            return FrameFormat.NEAR_ANCHOR;
        }
        out.putLong(anchorRoot);
        out.putLong(anchorId);
        root = anchorRoot;
        return FrameFormat.FAR_ANCHOR;
    }

    private void writeNear(FrameBuffer out, long anchorRoot, long anchorId) {
        out.putVarLong(FrameFormat.zigzag(anchorRoot - root));
        out.putLong(anchorId);
        root = anchorRoot;
    }

    /** Returns the bits of the head for the values, or {@link #OTHER_TYPES}. */
    private int writeValues(FrameBuffer out, List<Object> written) {
        boolean fewValues = written.size() - 1 < FrameFormat.MAX_COUNT_IN_HEAD && !written.isEmpty();
        if (!fewValues) {
            out.putVarInt(written.size());
        }
        if (!values.tryWrite(out, written)) {
            return OTHER_TYPES;
        }
        return fewValues ? written.size() << FrameFormat.COUNT_SHIFT : 0;
    }

    private int writeSerializedValues(FrameBuffer out) {
        out.putVarInt(kryoOutput.position());
        out.putBytes(kryoOutput.getBuffer(), kryoOutput.position());
        return FrameFormat.KRYO;
    }
}
