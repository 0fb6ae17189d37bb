package io.eyewall.transport.fabric.binding;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Zeroed memory outside the Java heap, in whole pages. */
public final class MappedMemory implements AutoCloseable {

    private static final int HUGE_PAGE_BYTES = 2 << 20;
    private static final int PAGE_BYTES = 4096;

    private final long address;
    private final long sizeBytes;
    private boolean closed;

    private MappedMemory(long address, long sizeBytes) {
        this.address = address;
        this.sizeBytes = sizeBytes;
    }

    /**
     * Maps memory. Pages that are never written to cost nothing.
     *
     * @param minimumBytes rounded up to whole pages
     * @param hugePages whether to ask for huge pages; if the system has none, or for less than one, it maps ordinary ones
     */
    public static MappedMemory of(long minimumBytes, boolean hugePages) {
        boolean huge = hugePages && minimumBytes >= HUGE_PAGE_BYTES;
        long pageBytes = huge ? HUGE_PAGE_BYTES : PAGE_BYTES;
        long sizeBytes = (minimumBytes + pageBytes - 1) / pageBytes * pageBytes;
        long address = Libc.mmap(0, sizeBytes, Libc.PROT_READ_WRITE, Libc.MAP_PRIVATE_ANONYMOUS | Libc.MAP_NORESERVE, -1, 0);
        if (address == Libc.MAP_FAILED) {
            throw new FabricException("Cannot map " + sizeBytes + " bytes of memory: errno " + Native.getLastError()
                + "; free memory or raise the process's limit (ulimit -v)");
        }
        if (huge) {
            // A kernel without transparent huge pages refuses this advice; the memory then has ordinary pages.
            Libc.madvise(address, sizeBytes, Libc.MADV_HUGEPAGE);
        }
        return new MappedMemory(address, sizeBytes);
    }

    /** The address of the first byte. */
    public long address() {
        return address;
    }

    /** A view in native byte order. Using it after {@link #close()} crashes the process. */
    public ByteBuffer buffer() {
        return new Pointer(address).getByteBuffer(0, sizeBytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (Libc.munmap(address, sizeBytes) != 0) {
                throw new FabricException("Cannot unmap " + sizeBytes + " bytes at " + Long.toHexString(address) + ": errno "
                    + Native.getLastError());
            }
        }
    }
}
