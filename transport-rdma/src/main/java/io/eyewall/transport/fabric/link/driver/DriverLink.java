package io.eyewall.transport.fabric.link.driver;

import io.eyewall.transport.fabric.link.frame.Hello;
import io.eyewall.transport.fabric.link.frame.ProtocolException;

/** A link as its driver sees it. The progress thread calls all methods, except where a method says otherwise. */
public interface DriverLink {

    /** Gives the link its buffers and its channel to the peer. The link posts its receives. */
    void attach(LinkBuffers buffers, FrameChannel channel);

    /**
     * The hello that this end sends.
     *
     * @param linkId the number of the link at this end, for tags
     * @param endpointName this end's endpoint for tagged datagrams; empty on connected links
     */
    Hello hello(int linkId, byte[] endpointName);

    /**
     * Checks that the peer knows the secret. Any thread may call it.
     *
     * @throws ProtocolException if it does not
     */
    void check(Hello hello) throws ProtocolException;

    /** Frames can now reach the peer. */
    void onConnected();

    /**
     * A receive has completed.
     *
     * @param error 0, or the library's error number
     */
    void onReceived(int slot, int lengthBytes, int error);

    /**
     * A send has completed. Any thread that holds no link's lock may call it.
     *
     * @param error 0, or the library's error number
     */
    void onSent(int slot, int error);

    /**
     * Closes the link, unless it is closed.
     *
     * @param reason why, in words for the log
     */
    void fail(String reason);

    /** Whether the link is closed for good. */
    boolean isClosed();
}
