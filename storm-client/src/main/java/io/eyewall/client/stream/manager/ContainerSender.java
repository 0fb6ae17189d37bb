package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.StreamWire;
import java.util.List;
import org.apache.storm.messaging.TaskMessage;

/**
 * What waits for one other container, and what sends it. Messages add up here while the connection has no space, and while there is none.
 * What the transport had when a connection broke is lost. For the thread of the loop.
 */
interface ContainerSender {

    /** What a message takes beside its bytes: objects, and a place in a list. */
    int OVERHEAD_BYTES = 96;
    /**
     * A status that says nothing. Storm's transport notices that it has lost its connection when it is given a message. It drops that one,
     * and connects again.
     */
    TaskMessage ATTEMPT = new TaskMessage(StreamWire.STATUS_TASK, new byte[1]);
    /** How often a sender looks for a connection, and at which of these looks it gives the transport a message. */
    long LOOK_MS = 10;
    /** See {@link #LOOK_MS}. */
    int LOOKS_PER_ATTEMPT = 1_000;

    /** Adds a message, which leaves with the next {@link #flush}. */
    void add(TaskMessage message);

    /** Has everything sent. Does not wait. */
    void flush();

    /** Whether messages wait for a connection. */
    boolean isConnecting();

    /** How much waits, in bytes, including what is being sent. */
    long waitingBytes();

    /** Closes the connection. Returns how many messages still waited, and are dropped. */
    int close();

    /** Whether another stream manager has sent a message only to connect. */
    static boolean isAttempt(TaskMessage message) {
        return message.message().length == ATTEMPT.message().length;
    }

    /** The transport has these messages. */
    static void left(List<TaskMessage> batch) {
        for (TaskMessage message : batch) {
            if (message instanceof WatchedMessage watched) {
                watched.left();
            }
        }
    }

    /** How much memory a message takes, about. */
    static int bytes(TaskMessage message) {
        return message.message().length + OVERHEAD_BYTES;
    }
}
