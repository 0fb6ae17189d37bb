package io.eyewall.transport.fabric.binding;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/** Memory that endpoints of a domain may send from and receive into. */
public final class MemoryRegion implements AutoCloseable {

    private final MappedMemory memory;
    private final Registration registration;

    MemoryRegion(MappedMemory memory, Pointer registered) {
        this.memory = memory;
        this.registration = registered == null ? null : new Registration(registered);
    }

    /** Memory for providers that need nothing registered. */
    public static MemoryRegion unregistered(int sizeBytes, boolean hugePages) {
        return new MemoryRegion(MappedMemory.of(sizeBytes, hugePages), null);
    }

    /** The first byte's address. */
    public long address() {
        return memory.address();
    }

    /** What must be handed over with each send and receive; 0 where the provider needs nothing. */
    public long descriptor() {
        return registration == null ? 0 : registration.fid().getLong(StructLayout.MR_DESCRIPTOR);
    }

    /** A view in native byte order. Using it after {@link #close()} crashes the process. */
    public ByteBuffer buffer() {
        return memory.buffer();
    }

    /** Unregisters and unmaps. No endpoint may have a send or receive in progress on it. */
    @Override
    public void close() {
        if (registration != null) {
            registration.close();
        }
        memory.close();
    }

    private static final class Registration extends FabricObject {

        Registration(Pointer fid) {
            super("memory registration", fid);
        }
    }
}
