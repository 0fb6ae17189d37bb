package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.EndpointType;

/**
 * How the links of a group work.
 *
 * @param type connected or tagged endpoints; must be the same at both ends
 * @param provider the provider's name as {@code fi_info} prints it; must be the same at both ends
 * @param localAddress the numeric IP address to listen on, and to send datagrams from, or null for any
 * @param frameBytes the size of each buffer, and so the longest frame; messages longer than that are split
 * @param receiveFrames buffers posted to receive data, per link: the credits given to the peer
 * @param sendFrames buffers to send from, per link
 * @param idleMode what the progress thread does when there is nothing to do
 * @param hugePages whether to ask for huge pages for buffers
 * @param peerTimeoutMs after how long without a sign of life a peer is taken for dead
 */
public record LinkConfiguration(EndpointType type, String provider, String localAddress, int frameBytes, int receiveFrames, int sendFrames,
    IdleMode idleMode, boolean hugePages, int peerTimeoutMs) {

    static final int MIN_FRAME_BYTES = 1024;

    /** Checks that the numbers make sense together. */
    public LinkConfiguration {
        if (frameBytes < MIN_FRAME_BYTES || receiveFrames < 1 || sendFrames < 1 || peerTimeoutMs < 1) {
            throw new IllegalArgumentException("Frames of " + frameBytes + " bytes (at least " + MIN_FRAME_BYTES + "), " + receiveFrames
                + " to receive, " + sendFrames + " to send (at least one), a timeout of " + peerTimeoutMs + " ms (at least 1)");
        }
    }

    /** The slots of a link: receives for data and for the rest, then sends of data, then other sends. */
    int slots() {
        return receiveSlots() + sendFrames + FrameSender.CONTROL_SLOTS;
    }

    int receiveSlots() {
        return receiveFrames + CreditLedger.RESERVED;
    }
}
