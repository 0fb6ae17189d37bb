package io.eyewall.transport.fabric.link;

/**
 * How the frames of one link reach the peer's endpoint. Sends come from any thread, one at a time; what says nothing else is for the
 * progress thread. Results are those of {@link io.eyewall.transport.fabric.binding.Endpoint}.
 */
interface FrameChannel {

    /** Posts a send. */
    long send(long address, int lengthBytes, long context);

    /**
     * Looks for sends that are finished, and tells their links. Safe for any thread that holds no lock of a link, even if the wire is
     * closed meanwhile.
     *
     * @return how many there were
     */
    int pollSends();

    /** Posts a receive. */
    long receive(long address, int lengthBytes, long context);

    /**
     * Ends all receives and tells the peer, if the provider does. No send is posted during or after this call.
     *
     * @param receiveContexts those of all receives that may be posted
     * @return whether the memory of posted operations is the caller's again at once; otherwise each completes first
     */
    boolean close(long[] receiveContexts);

    /** All that was posted has completed, after a close. */
    void released();

    /** What went wrong with a send or receive, for people to read. */
    String describe(long result);
}
