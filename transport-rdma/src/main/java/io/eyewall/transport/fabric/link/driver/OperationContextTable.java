package io.eyewall.transport.fabric.link.driver;

import io.eyewall.transport.fabric.binding.Endpoint;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.binding.MappedMemory;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * The operation contexts of all links of a driver. A provider writes to a context while its operation is in flight, and returns its
 * address with the completion, from which this table finds the link and the slot. For the progress thread, except where a method says
 * otherwise.
 */
final class OperationContextTable implements AutoCloseable {

    private static final int MAX_LINKS = 8192;

    private final int slotsPerLink;
    private final MappedMemory memory;
    private final AtomicReferenceArray<DriverLink> links = new AtomicReferenceArray<>(MAX_LINKS);
    private final ArrayDeque<Integer> freeBlocks = new ArrayDeque<>();
    private int usedBlocks;

    OperationContextTable(int slotsPerLink) {
        this.slotsPerLink = slotsPerLink;
        this.memory = MappedMemory.of((long) MAX_LINKS * slotsPerLink * Endpoint.CONTEXT_BYTES, false);
    }

    /** Reserves a block of contexts for a link, and returns its number. */
    int allocate(DriverLink link) {
        if (freeBlocks.isEmpty() && usedBlocks == MAX_LINKS) {
            throw new FabricException("More than " + MAX_LINKS + " links to one worker: spread the topology over fewer workers");
        }
        int block = freeBlocks.isEmpty() ? usedBlocks++ : freeBlocks.remove();
        links.set(block, link);
        return block;
    }

    /** Frees a block of contexts. None of them may be in use. */
    void release(int block) {
        links.set(block, null);
        freeBlocks.add(block);
    }

    /** How many links have contexts. Any thread may ask. */
    int links() {
        return (int) IntStream.range(0, MAX_LINKS).filter(block -> links.get(block) != null).count();
    }

    /** The address of a slot's context. Any thread may ask. */
    long context(int block, int slot) {
        return memory.address() + ((long) block * slotsPerLink + slot) * Endpoint.CONTEXT_BYTES;
    }

    /** The link to which a context belongs. Any thread may ask. */
    DriverLink link(long context) {
        return links.get(index(context) / slotsPerLink);
    }

    /** The slot of a context within its link. Any thread may ask. */
    int slot(long context) {
        return index(context) % slotsPerLink;
    }

    @Override
    public void close() {
        memory.close();
    }

    private int index(long context) {
        return (int) ((context - memory.address()) / Endpoint.CONTEXT_BYTES);
    }
}
