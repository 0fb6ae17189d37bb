package io.eyewall.transport.fabric.link.driver;

/**
 * Posts the sends and receives of one link to its endpoint. Any thread may send, one at a time; the progress thread calls the other
 * methods, except where a method says otherwise. Results are those of {@link io.eyewall.transport.fabric.binding.Endpoint}: 0, or a
 * negative error number.
 */
public interface FrameChannel {

    /**
     * Posts a send.
     *
     * @param address where the frame begins in memory
     * @param context the operation context of the frame's slot
     */
    long send(long address, int lengthBytes, long context);

    /**
     * Reports completed sends to their links, those of other links included. Any thread that holds no link's lock may call it, even while
     * the channel is being closed.
     *
     * @return how many sends had completed
     */
    int pollSends();

    /** Posts a receive; see {@link #send}. */
    long receive(long address, int lengthBytes, long context);

    /**
     * Ends all receives, and reports the end to the peer if the provider can. No thread may send during this call or after it.
     *
     * @param receiveContexts the operation contexts of all receives that may be posted
     * @return whether the provider no longer uses any buffer; if not, each posted operation still completes
     */
    boolean close(long[] receiveContexts);

    /** All operations posted before {@link #close} have completed. */
    void released();

    /** Describes a negative result in words for the log. */
    String describe(long result);
}
