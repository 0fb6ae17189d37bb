package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.AddressVector;
import io.eyewall.transport.fabric.binding.Endpoint;
import java.util.function.IntSupplier;

/**
 * The way of one link over an endpoint that all links of a group share. The upper half of a tag is the number that the sender has for the
 * link, the lower half the receiver's.
 */
final class TaggedFrameChannel implements FrameChannel {

    private static final int NO_PEER = -1;
    /** A receive takes messages from whatever number the peer has for the link, which is not known when receives are first posted. */
    private static final long ANY_SOURCE = 0xFFFFFFFF_00000000L;

    private final Endpoint endpoint;
    private final AddressVector peers;
    private final long descriptor;
    private final int linkId;
    private final IntSupplier pollSends;
    private final Runnable onClose;
    /** Written by the progress thread before the link is open. */
    private long peer = NO_PEER;
    private long sendTag;

    TaggedFrameChannel(Endpoint endpoint, AddressVector peers, long descriptor, int linkId, IntSupplier pollSends, Runnable onClose) {
        this.endpoint = endpoint;
        this.peers = peers;
        this.descriptor = descriptor;
        this.linkId = linkId;
        this.pollSends = pollSends;
        this.onClose = onClose;
    }

    /** The peer is known. */
    void setPeer(byte[] endpointName, int peerLinkId) {
        peer = peers.insert(endpointName);
        sendTag = ((long) linkId << Integer.SIZE) | (peerLinkId & 0xFFFFFFFFL);
    }

    @Override
    public long send(long address, int lengthBytes, long context) {
        return endpoint.sendTagged(address, lengthBytes, descriptor, peer, sendTag, context);
    }

    @Override
    public int pollSends() {
        return pollSends.getAsInt();
    }

    @Override
    public long receive(long address, int lengthBytes, long context) {
        return endpoint.receiveTagged(address, lengthBytes, descriptor, linkId & 0xFFFFFFFFL, ANY_SOURCE, context);
    }

    @Override
    public boolean close(long[] receiveContexts) {
        onClose.run();
        for (long context : receiveContexts) {
            endpoint.cancel(context);
        }
        return false;
    }

    @Override
    public void released() {
        if (peer != NO_PEER) {
            peers.remove(peer);
        }
    }

    @Override
    public String describe(long result) {
        return endpoint.failure("the provider refused", result).getMessage();
    }
}
