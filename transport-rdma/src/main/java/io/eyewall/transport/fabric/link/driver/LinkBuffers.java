package io.eyewall.transport.fabric.link.driver;

import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.binding.MemoryRegion;
import io.eyewall.transport.fabric.link.frame.FrameHeader;
import io.eyewall.transport.fabric.link.frame.Hello;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

/**
 * The buffers of one link, in one registered memory region: first those to receive into, then those to send data from, then small ones to
 * send all other frames from. A slot is the number of a buffer and of its operation context.
 */
public final class LinkBuffers implements AutoCloseable {

    /** The length of a small buffer: the longest frame without messages is a hello. */
    private static final int CONTROL_BYTES = FrameHeader.BYTES + Hello.MAX_BYTES;

    private final MemoryRegion region;
    private final ByteBuffer buffer;
    private final OperationContextTable contexts;
    private final int block;
    private final DriverConfiguration configuration;

    private LinkBuffers(MemoryRegion region, OperationContextTable contexts, int block, DriverConfiguration configuration) {
        this.region = region;
        this.buffer = region.buffer().order(ByteOrder.LITTLE_ENDIAN);
        this.contexts = contexts;
        this.block = block;
        this.configuration = configuration;
    }

    /**
     * Allocates buffers and operation contexts for a link.
     *
     * @param allocator takes a size in bytes
     */
    static LinkBuffers allocate(IntFunction<MemoryRegion> allocator, OperationContextTable contexts, DriverLink link,
        DriverConfiguration configuration) {
        int sizeBytes = (configuration.receiveSlots() + configuration.sendSlots()) * configuration.frameBytes()
            + configuration.controlSlots() * CONTROL_BYTES;
        int block = contexts.allocate(link);
        try {
            return new LinkBuffers(allocator.apply(sizeBytes), contexts, block, configuration);
        } catch (FabricException e) {
            contexts.release(block);
            throw e;
        }
    }

    /** The memory of all slots, in little-endian order. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** The size of a buffer for data. */
    public int frameBytes() {
        return configuration.frameBytes();
    }

    /** How many slots there are to receive into; the first of the others is a slot to send data from. */
    public int receiveSlots() {
        return configuration.receiveSlots();
    }

    /** The first slot with a small buffer. */
    public int firstControlSlot() {
        return configuration.receiveSlots() + configuration.sendSlots();
    }

    /** How many slots there are. */
    public int slots() {
        return configuration.slots();
    }

    /** Where the buffer of a slot begins in {@link #buffer()}. */
    public int offset(int slot) {
        int firstControlSlot = firstControlSlot();
        return Math.min(slot, firstControlSlot) * configuration.frameBytes() + Math.max(0, slot - firstControlSlot) * CONTROL_BYTES;
    }

    /** Where the buffer of a slot begins in memory. */
    public long address(int slot) {
        return region.address() + offset(slot);
    }

    /** The address of a slot's operation context. */
    public long context(int slot) {
        return contexts.context(block, slot);
    }

    /** The descriptor of the memory region, which every send and receive names. */
    long descriptor() {
        return region.descriptor();
    }

    /** Frees buffers and contexts. No operation may use them any more. */
    @Override
    public void close() {
        region.close();
        contexts.release(block);
    }
}
