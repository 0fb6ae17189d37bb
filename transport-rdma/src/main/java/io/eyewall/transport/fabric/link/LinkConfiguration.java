package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.EndpointType;
import io.eyewall.transport.fabric.link.driver.DriverConfiguration;
import io.eyewall.transport.fabric.link.frame.Hello;

/**
 * The configuration of all links of a group.
 *
 * @param type connected or tagged endpoints; the same at both ends
 * @param provider the provider's name as {@code fi_info} prints it; the same at both ends
 * @param localAddress the numeric IP address to listen on and to send datagrams from, or null for any
 * @param frameBytes the size of a buffer, and so of the longest frame; longer messages are split
 * @param receiveFrames buffers to receive data into, per link: the credits that the peer gets
 * @param sendFrames buffers to send data from, per link
 * @param idleMode what the progress thread does while it has no work
 * @param hugePages whether to ask the system for huge pages for buffers
 * @param peerTimeoutMs how long a peer may be silent before its link is closed
 */
public record LinkConfiguration(EndpointType type, String provider, String localAddress, int frameBytes, int receiveFrames, int sendFrames,
    IdleMode idleMode, boolean hugePages, int peerTimeoutMs) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is too small
     */
    public LinkConfiguration {
        if (frameBytes < Hello.MIN_FRAME_BYTES || receiveFrames < 1 || sendFrames < 1 || peerTimeoutMs < 1) {
            throw new IllegalArgumentException("A link needs frames of " + Hello.MIN_FRAME_BYTES + " bytes or more, one or more buffers to"
                + " receive and to send, and a timeout of 1 ms or more, but has frames of " + frameBytes + " bytes, " + receiveFrames
                + " buffers to receive, " + sendFrames + " to send and a timeout of " + peerTimeoutMs + " ms");
        }
    }

    /** The driver's configuration, with buffers for frames without data added. */
    DriverConfiguration driver() {
        return new DriverConfiguration(type, provider, localAddress, idleMode == IdleMode.WAIT, hugePages, frameBytes,
            receiveFrames + CreditLedger.RESERVED, sendFrames, FrameSender.CONTROL_SLOTS);
    }
}
