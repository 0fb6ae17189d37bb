package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.Endpoint;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.binding.MappedMemory;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * The contexts of all operations of a group: memory that a provider scribbles on while an operation is under way, and whose address tells
 * which link and slot has completed. For the progress thread where nothing else is said.
 */
final class OperationContextTable implements AutoCloseable {

    private static final int MAX_LINKS = 8192;

    private final int slotsPerLink;
    private final MappedMemory memory;
    private final AtomicReferenceArray<Link> links = new AtomicReferenceArray<>(MAX_LINKS);
    private final ArrayDeque<Integer> freeBlocks = new ArrayDeque<>();
    private int usedBlocks;

    OperationContextTable(int slotsPerLink) {
        this.slotsPerLink = slotsPerLink;
        this.memory = MappedMemory.of((long) MAX_LINKS * slotsPerLink * Endpoint.CONTEXT_BYTES, false);
    }

    /** Sets contexts aside for a link; the number names them. */
    int allocate(Link link) {
        if (freeBlocks.isEmpty() && usedBlocks == MAX_LINKS) {
            throw new FabricException("More than " + MAX_LINKS + " links in one group: spread the tasks over fewer workers");
        }
        int block = freeBlocks.isEmpty() ? usedBlocks++ : freeBlocks.remove();
        links.set(block, link);
        return block;
    }

    /** Gives contexts back, none of which is in use. */
    void release(int block) {
        links.set(block, null);
        freeBlocks.add(block);
    }

    /** How many links have contexts. Safe for any thread. */
    int links() {
        return (int) IntStream.range(0, MAX_LINKS).filter(block -> links.get(block) != null).count();
    }

    /** The context of a link's slot. Safe for any thread. */
    long context(int block, int slot) {
        return memory.address() + ((long) block * slotsPerLink + slot) * Endpoint.CONTEXT_BYTES;
    }

    /** The link that a context was set aside for. Safe for any thread. */
    Link link(long context) {
        return links.get(index(context) / slotsPerLink);
    }

    /** The slot of a context within its link. Safe for any thread. */
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
