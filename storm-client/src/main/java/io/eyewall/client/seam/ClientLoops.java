package io.eyewall.client.seam;

import org.apache.storm.shade.io.netty.channel.EventLoopGroup;

/** Woven into {@code Context} of the Netty transport: gives access to the threads of the connections to other workers. */
public interface ClientLoops {

    /** These threads, after the transport was prepared. */
    EventLoopGroup getWorkerEventLoopGroup();
}
