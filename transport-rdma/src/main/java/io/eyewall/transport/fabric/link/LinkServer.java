package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.link.driver.EndpointDriver;

/** Accepts links from peers on one port until it is closed. Accepted links stay open. Safe for any thread. */
public final class LinkServer implements AutoCloseable {

    private final LinkGroup group;
    private final EndpointDriver.Port port;
    private final int number;

    LinkServer(LinkGroup group, EndpointDriver.Port port) {
        this.group = group;
        this.port = port;
        this.number = port.number();
    }

    /** The number of the port. */
    public int port() {
        return number;
    }

    @Override
    public void close() {
        group.execute(port::close);
    }
}
