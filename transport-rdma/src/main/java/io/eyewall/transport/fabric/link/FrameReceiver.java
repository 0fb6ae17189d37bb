package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.Endpoint;
import io.eyewall.transport.fabric.link.driver.FrameChannel;
import io.eyewall.transport.fabric.link.driver.LinkBuffers;
import io.eyewall.transport.fabric.link.frame.FrameHeader;
import io.eyewall.transport.fabric.link.frame.FrameReader;
import io.eyewall.transport.fabric.link.frame.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The receiving half of a link: restores the order of frames, passes them to the session, and posts their buffers again. For the progress
 * thread.
 */
final class FrameReceiver {

    private final LinkBuffers buffers;
    private final FrameChannel channel;
    private final LinkSession session;
    private final ByteBuffer view;
    private final FrameReorderBuffer order;
    private final FrameReader reader = new FrameReader();
    private final int[] lengths;
    /** Whether the last frame in a slot cost the peer a credit, which it gets back when the slot is posted again. */
    private final boolean[] credited;
    private final SlotQueue unposted;
    private int posted;
    private boolean held = true;

    FrameReceiver(LinkBuffers buffers, FrameChannel channel, LinkSession session) {
        this.buffers = buffers;
        this.channel = channel;
        this.session = session;
        this.view = buffers.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.order = new FrameReorderBuffer(buffers.receiveSlots());
        this.lengths = new int[buffers.receiveSlots()];
        this.credited = new boolean[buffers.receiveSlots()];
        this.unposted = new SlotQueue(buffers.receiveSlots());
    }

    /** Posts all receives. Frames that arrive are held until {@link #release()}. */
    void start() {
        for (int slot = 0; slot < buffers.receiveSlots(); slot++) {
            unposted.add(slot);
        }
        retry();
    }

    /** Handles the frames that have arrived, and later ones as soon as they arrive. */
    void release() throws ProtocolException {
        held = false;
        handleInOrder();
    }

    /** Handles a receive that completed with a frame. */
    void completed(int slot, int lengthBytes) throws ProtocolException {
        posted--;
        lengths[slot] = lengthBytes;
        FrameHeader.check(buffers.buffer(), buffers.offset(slot), lengthBytes);
        order.put(FrameHeader.sequence(buffers.buffer(), buffers.offset(slot)), slot);
        handleInOrder();
    }

    /** Handles a receive that completed without a frame. */
    void ended() {
        posted--;
    }

    /** Posts the receives that the provider had no resources for. */
    void retry() {
        while (!unposted.isEmpty()) {
            int slot = unposted.peek();
            long result = channel.receive(buffers.address(slot), buffers.frameBytes(), buffers.context(slot));
            if (Endpoint.mustRetry(result)) {
                session.retrySoon();
                return;
            }
            if (result != 0) {
                session.failSoon(channel.describe(result));
                return;
            }
            unposted.remove();
            posted++;
            if (credited[slot]) {
                credited[slot] = false;
                session.onDataReposted();
            }
        }
    }

    /** How many receives are posted. */
    int posted() {
        return posted;
    }

    /** Reads the messages of a data frame. */
    void read(ByteBuffer payload, FrameReader.Consumer consumer) throws ProtocolException {
        reader.read(payload, consumer);
    }

    private void handleInOrder() throws ProtocolException {
        int slot = held ? FrameReorderBuffer.NONE : order.next();
        while (slot != FrameReorderBuffer.NONE) {
            int at = buffers.offset(slot);
            byte type = FrameHeader.type(buffers.buffer(), at);
            view.limit(at + lengths[slot]).position(at + FrameHeader.BYTES);
            session.onFrame(type, FrameHeader.credits(buffers.buffer(), at), view);
            if (session.isClosed()) {
                return;
            }
            credited[slot] = type == FrameHeader.DATA;
            unposted.add(slot);
            retry();
            slot = order.next();
        }
    }
}
