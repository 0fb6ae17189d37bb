package io.eyewall.transport.fabric.link;

/** Takes links from peers until it is closed; links taken live on. Safe for any thread. */
public final class LinkServer implements AutoCloseable {

    private final LinkGroup group;
    private final Port port;
    private final int number;

    LinkServer(LinkGroup group, Port port) {
        this.group = group;
        this.port = port;
        this.number = port.number();
    }

    /** What a {@link EndpointDriver} listens on. */
    interface Port {

        int number();

        void close();
    }

    /** The port that it listens on. */
    public int port() {
        return number;
    }

    @Override
    public void close() {
        group.execute(port::close);
    }
}
