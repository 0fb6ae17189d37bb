package io.eyewall.client.substitute;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.storm.tuple.MessageId;

/**
 * The message id of a tuple in a single tree, as most tuples are: two numbers in place of upstream's map with one entry. The maps that it
 * returns are made on demand and cannot be changed. Immutable.
 */
public final class SingleAnchorMessageId extends MessageId {

    private final long root;
    private final long id;

    /** A tuple {@code id} in the tree of {@code root}. */
    public SingleAnchorMessageId(long root, long id) {
        super(null);
        this.root = root;
        this.id = id;
    }

    /** In place of {@link MessageId#deserialize}, from the same bytes. */
    public static MessageId read(Input input) {
        int anchors = input.readInt(true);
        if (anchors == 1) {
            return new SingleAnchorMessageId(input.readLong(), input.readLong());
        }
        Map<Long, Long> anchorsToIds = new HashMap<>();
        for (int i = 0; i < anchors; i++) {
            anchorsToIds.put(input.readLong(), input.readLong());
        }
        return makeId(anchorsToIds);
    }

    public long root() {
        return root;
    }

    public long id() {
        return id;
    }

    @Override
    public Map<Long, Long> getAnchorsToIds() {
        return Map.of(root, id);
    }

    @Override
    public Set<Long> getAnchors() {
        return Set.of(root);
    }

    @Override
    public void serialize(Output output) {
        output.writeInt(1, true);
        output.writeLong(root);
        output.writeLong(id);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageId message && getAnchorsToIds().equals(message.getAnchorsToIds());
    }

    @Override
    public int hashCode() {
        return getAnchorsToIds().hashCode();
    }

    @Override
    public String toString() {
        return getAnchorsToIds().toString();
    }
}
