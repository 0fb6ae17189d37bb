package io.eyewall.client.seam;

import java.nio.ByteBuffer;
import org.apache.storm.messaging.IConnectionCallback;

/**
 * The callback by which a worker's transport hands over messages from other workers. A transport that receives into memory of its own hands
 * over messages in place, without an array for each. The methods of this interface are for one thread at a time.
 */
public interface BufferCallback extends IConnectionCallback {

    /**
     * Takes a message for a task. One that cannot be read is dropped, and logged.
     *
     * @param message from position to limit; read during the call only, and used up
     */
    void take(int task, ByteBuffer message);

    /** Delivers the tuples that were taken since the last call. */
    void deliver();
}
