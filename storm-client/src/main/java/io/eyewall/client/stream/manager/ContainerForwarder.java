package io.eyewall.client.stream.manager;

import java.util.Optional;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.TaskMessage;

/** Sends messages to other containers, and counts those that cannot be sent. */
interface ContainerForwarder {

    /**
     * Sends a message to a container with the next {@link #flush}. Counts it if the container is not connected or there is no room.
     *
     * @param inAnyCase whether it has room in any case: it had room before, or its sender waits after it
     */
    void forward(Optional<NodeInfo> container, TaskMessage message, boolean inAnyCase);

    /** Sends what was added. */
    void flush();

    /** Counts messages for a task whose instance cannot be reached. */
    void dropped(int messages, int task);

    /** Counts a message for which there was no room. */
    void refused();
}
