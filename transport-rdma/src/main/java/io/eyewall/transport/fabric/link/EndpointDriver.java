package io.eyewall.transport.fabric.link;

import java.net.InetSocketAddress;

/** Makes links over one type of endpoint, and polls the library for them. For the progress thread. */
interface EndpointDriver extends AutoCloseable {

    /**
     * Does what there is to do but for finished sends, in one bounded round.
     *
     * @param withEvents whether to look for events of connections too, which takes longer
     * @return how much there was
     */
    int poll(boolean withEvents);

    /** Tells links of all their sends that are finished, a batch at most; returns how many there were. */
    int pollSends();

    /**
     * Listens for links.
     *
     * @param port 0 for any free one
     * @return the listener, which is closed by the progress thread too
     */
    LinkServer.Port listen(int port, LinkSecret secret, LinkHandler listener);

    /** Starts to make a link; what becomes of it is told to the link. */
    void connect(Link link, InetSocketAddress peer, LinkSecret secret);

    /** How the thread can sleep on the devices now in use, or null if it cannot. */
    Sleeper sleeper();

    /** Closes all endpoints: no operation uses memory any more. */
    void closeEndpoints();

    /** Closes everything else, after the memory. */
    @Override
    void close();
}
