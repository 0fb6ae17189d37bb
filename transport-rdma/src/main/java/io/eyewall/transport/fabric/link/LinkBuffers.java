package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.binding.MemoryRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

/**
 * The buffers of one link, in one registered region: first those to receive into, then those to send data from, then small ones to send
 * everything else from. A slot number names a buffer and its context.
 */
final class LinkBuffers implements AutoCloseable {

    /** The length of the small buffers. */
    static final int CONTROL_BYTES = FrameHeader.BYTES + Hello.MAX_BYTES;

    private final MemoryRegion region;
    private final ByteBuffer buffer;
    private final OperationContextTable contexts;
    private final int block;
    private final int frameBytes;
    private final int receiveSlots;
    private final int firstControlSlot;

    private LinkBuffers(MemoryRegion region, OperationContextTable contexts, int block, LinkConfiguration configuration) {
        this.region = region;
        this.buffer = region.buffer().order(ByteOrder.LITTLE_ENDIAN);
        this.contexts = contexts;
        this.block = block;
        this.frameBytes = configuration.frameBytes();
        this.receiveSlots = configuration.receiveSlots();
        this.firstControlSlot = receiveSlots + configuration.sendFrames();
    }

    /**
     * Sets memory and contexts aside for a link.
     *
     * @param allocator takes a size in bytes
     */
    static LinkBuffers allocate(IntFunction<MemoryRegion> allocator, OperationContextTable contexts, Link link,
        LinkConfiguration configuration) {
        int sizeBytes = (configuration.receiveSlots() + configuration.sendFrames()) * configuration.frameBytes()
            + FrameSender.CONTROL_SLOTS * CONTROL_BYTES;
        int block = contexts.allocate(link);
        try {
            return new LinkBuffers(allocator.apply(sizeBytes), contexts, block, configuration);
        } catch (FabricException e) {
            contexts.release(block);
            throw e;
        }
    }

    ByteBuffer buffer() {
        return buffer;
    }

    int receiveSlots() {
        return receiveSlots;
    }

    int firstControlSlot() {
        return firstControlSlot;
    }

    /** Where the buffer of a slot begins. */
    int offset(int slot) {
        return Math.min(slot, firstControlSlot) * frameBytes + Math.max(0, slot - firstControlSlot) * CONTROL_BYTES;
    }

    long address(int slot) {
        return region.address() + offset(slot);
    }

    long context(int slot) {
        return contexts.context(block, slot);
    }

    long descriptor() {
        return region.descriptor();
    }

    /** No operation uses the memory any more. */
    @Override
    public void close() {
        region.close();
        contexts.release(block);
    }
}
