package io.eyewall.client.seam;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.shade.io.netty.channel.Channel;

/** Woven into {@code Client} of the Netty transport: gives access to the channel to the other worker. */
public interface ClientChannel {

    /** The channel, or null while there is no connection. Safe for any thread. */
    AtomicReference<Channel> getChannelRef();
}
