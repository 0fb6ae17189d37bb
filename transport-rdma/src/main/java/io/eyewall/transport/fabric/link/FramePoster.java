package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.link.driver.FrameChannel;
import io.eyewall.transport.fabric.link.driver.LinkBuffers;
import io.eyewall.transport.fabric.link.frame.FrameHeader;

/** Numbers the frames of a link and posts them in order. Guarded by the lock of the {@link FrameSender}. */
final class FramePoster {

    private final LinkBuffers buffers;
    private final FrameChannel channel;
    private final SlotQueue unposted;
    private final int[] lengths;
    private int sequence;
    private int inFlight;

    FramePoster(LinkBuffers buffers, FrameChannel channel) {
        this.buffers = buffers;
        this.channel = channel;
        this.unposted = new SlotQueue(buffers.slots());
        this.lengths = new int[buffers.slots()];
    }

    /** Writes the header of a frame, which {@link #post()} then posts. */
    void seal(int slot, byte type, int credits, int payloadBytes) {
        FrameHeader.write(buffers.buffer(), buffers.offset(slot), type, credits, sequence++, payloadBytes);
        lengths[slot] = FrameHeader.BYTES + payloadBytes;
        unposted.add(slot);
    }

    /**
     * Posts the sealed frames.
     *
     * @return 0 if all are posted, or else the provider's negative error
     */
    long post() {
        while (!unposted.isEmpty()) {
            int slot = unposted.peek();
            long result = channel.send(buffers.address(slot), lengths[slot], buffers.context(slot));
            if (result != 0) {
                return result;
            }
            unposted.remove();
            inFlight++;
        }
        return 0;
    }

    /** Notes that a send has completed. */
    void completed() {
        inFlight--;
    }

    /** How many sends are posted and not completed. */
    int inFlight() {
        return inFlight;
    }

    /** Whether all sealed frames are posted, and their sends completed. */
    boolean isIdle() {
        return inFlight == 0 && unposted.isEmpty();
    }
}
