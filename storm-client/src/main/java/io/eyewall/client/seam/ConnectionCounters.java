package io.eyewall.client.seam;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Woven into {@code Client} of the Netty transport: what Storm's metrics of a connection show. Safe for any thread. */
public interface ConnectionCounters {

    /** How many messages were sent since the connection was made. */
    AtomicInteger getMessagesSent();

    /** How many messages were lost since the connection was made. */
    AtomicInteger getMessagesLost();

    /** How many messages wait to be sent. A connection that closes waits for them. */
    AtomicLong getPendingMessages();
}
