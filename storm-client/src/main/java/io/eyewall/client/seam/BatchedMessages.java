package io.eyewall.client.seam;

import java.util.List;
import org.apache.storm.messaging.TaskMessage;

/** Woven into {@code MessageBatch} of the Netty transport, whose class is private to upstream's package. */
public interface BatchedMessages {

    /** The messages, which must not be changed. */
    List<TaskMessage> getMsgs();
}
