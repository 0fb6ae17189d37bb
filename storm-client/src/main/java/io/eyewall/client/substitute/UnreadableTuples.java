package io.eyewall.client.substitute;

/** Learns of tuples that arrived in a good frame, and whose values Kryo could not read. They are dropped, and time out at their spout. */
@FunctionalInterface
public interface UnreadableTuples {

    /**
     * A tuple is dropped. On the thread that reads.
     *
     * @param component the component that emitted it
     * @param stream the stream on which it did
     * @param cause what Kryo, or a serializer of the topology's, threw
     */
    void dropped(String component, String stream, Throwable cause);
}
