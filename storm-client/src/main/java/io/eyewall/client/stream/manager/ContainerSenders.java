package io.eyewall.client.stream.manager;

import io.eyewall.client.seam.ClientChannel;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.shade.io.netty.channel.EventLoop;

/**
 * Makes the senders to other containers.
 *
 * @param loop has the connections of Storm's Netty transport
 * @param batchBytes how long a batch of that transport is
 * @param guard ends the process when messages cannot be sent
 */
record ContainerSenders(EventLoop loop, long batchBytes, LoopGuard guard) {

    /** A sender over a new connection of any transport. */
    ContainerSender over(String name, IConnection connection) {
        return connection instanceof ConnectionWithStatus client && connection instanceof ClientChannel channel
            ? new LoopSender(name, client, channel, this) : new ThreadSender(name, connection);
    }
}
