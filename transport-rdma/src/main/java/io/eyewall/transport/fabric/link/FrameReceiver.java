package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.Endpoint;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The receiving half of a link: puts frames in order, reads them, and posts their buffers again. For the progress thread. */
final class FrameReceiver {

    private final LinkBuffers memory;
    private final FrameChannel wire;
    private final Link link;
    private final int frameBytes;
    private final ByteBuffer view;
    private final FrameReorderBuffer order;
    private final FrameReader reader = new FrameReader();
    private final int[] lengths;
    /** Whether a slot's last frame cost the peer a credit, which it gets back when the slot is posted again. */
    private final boolean[] credited;
    private final SlotQueue unposted;
    private int posted;
    private boolean held = true;

    FrameReceiver(LinkBuffers memory, FrameChannel wire, Link link, LinkConfiguration configuration) {
        this.memory = memory;
        this.wire = wire;
        this.link = link;
        this.frameBytes = configuration.frameBytes();
        this.view = memory.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.order = new FrameReorderBuffer(memory.receiveSlots());
        this.lengths = new int[memory.receiveSlots()];
        this.credited = new boolean[memory.receiveSlots()];
        this.unposted = new SlotQueue(memory.receiveSlots());
    }

    /** Posts all receives. */
    void start() {
        for (int slot = 0; slot < memory.receiveSlots(); slot++) {
            unposted.add(slot);
        }
        retry();
    }

    /** Handles what has arrived, from now on at once. */
    void release() throws ProtocolException {
        held = false;
        handleInOrder();
    }

    /** A receive is complete. */
    void completed(int slot, int lengthBytes) throws ProtocolException {
        posted--;
        lengths[slot] = lengthBytes;
        FrameHeader.check(memory.buffer(), memory.offset(slot), lengthBytes);
        order.put(FrameHeader.sequence(memory.buffer(), memory.offset(slot)), slot);
        handleInOrder();
    }

    /** A receive ended without a message. */
    void ended() {
        posted--;
    }

    /** Posts the receives that the provider had no resources for. */
    void retry() {
        while (!unposted.isEmpty()) {
            int slot = unposted.peek();
            long result = wire.receive(memory.address(slot), frameBytes, memory.context(slot));
            if (Endpoint.mustRetry(result)) {
                link.retrySoon();
                return;
            }
            if (result != 0) {
                link.failSoon(wire.describe(result));
                return;
            }
            unposted.remove();
            posted++;
            if (credited[slot]) {
                credited[slot] = false;
                link.onDataReposted();
            }
        }
    }

    /** Receives that are posted. */
    int posted() {
        return posted;
    }

    private void handleInOrder() throws ProtocolException {
        int slot = held ? FrameReorderBuffer.NONE : order.next();
        while (slot != FrameReorderBuffer.NONE) {
            int at = memory.offset(slot);
            byte type = FrameHeader.type(memory.buffer(), at);
            view.limit(at + lengths[slot]).position(at + FrameHeader.BYTES);
            link.onFrame(type, FrameHeader.credits(memory.buffer(), at), view);
            if (link.isClosed()) {
                return;
            }
            credited[slot] = type == FrameHeader.DATA;
            unposted.add(slot);
            retry();
            slot = order.next();
        }
    }

    /** Reads the messages of a frame of data. */
    void read(ByteBuffer payload, FrameReader.Consumer consumer) throws ProtocolException {
        reader.read(payload, consumer);
    }
}
