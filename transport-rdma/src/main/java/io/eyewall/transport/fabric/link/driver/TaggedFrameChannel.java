package io.eyewall.transport.fabric.link.driver;

import io.eyewall.transport.fabric.binding.AddressVector;
import io.eyewall.transport.fabric.binding.Endpoint;

/**
 * The channel of a link over an endpoint that all links of a driver share. The upper half of a tag is the number of the link at the sender,
 * the lower half its number at the receiver.
 */
final class TaggedFrameChannel implements FrameChannel {

    private static final int NO_PEER = -1;
    /** Receives accept any number of the link at the peer, since receives are posted before that number is known. */
    private static final long ANY_SOURCE = 0xFFFFFFFF_00000000L;

    private final Endpoint endpoint;
    private final AddressVector peers;
    private final long descriptor;
    private final int linkId;
    private final NetworkDevice device;
    private final Runnable onClose;
    /** Written by the progress thread before the link is open, as is the next field. */
    private long peer = NO_PEER;
    private long sendTag;

    TaggedFrameChannel(Endpoint endpoint, AddressVector peers, long descriptor, int linkId, NetworkDevice device, Runnable onClose) {
        this.endpoint = endpoint;
        this.peers = peers;
        this.descriptor = descriptor;
        this.linkId = linkId;
        this.device = device;
        this.onClose = onClose;
    }

    /** Sets where frames go. */
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
        return device.pollSends();
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
        return endpoint.failure("the provider refused an operation", result).getMessage();
    }
}
