package io.eyewall.client.seam;

import java.nio.ByteBuffer;
import org.apache.storm.messaging.IConnectionCallback;

/**
 * What a worker gives its transport to take the messages of other workers. A transport that receives into memory of its own hands them over
 * as they lie there, and need not make an array of each. The methods of this interface are for one thread at a time.
 */
public interface BufferCallback extends IConnectionCallback {

    /**
     * Takes a message for a task. Throws what Storm's deserializer throws if it cannot be read.
     *
     * @param message from position to limit; read during the call only, and used up
     */
    void take(int task, ByteBuffer message);

    /** Hands on what was taken since the last call. */
    void deliver();
}
