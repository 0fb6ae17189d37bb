package io.eyewall.transport.fabric.binding;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/** Memory that the endpoints of a domain can send from and receive into. */
public final class MemoryRegion implements AutoCloseable {

    private final MappedMemory memory;
    private final Registration registration;

    MemoryRegion(MappedMemory memory, Pointer registered) {
        this.memory = memory;
        this.registration = registered == null ? null : new Registration(registered);
    }

    /** Memory for providers that do not require registration. */
    public static MemoryRegion unregistered(int sizeBytes, boolean hugePages) {
        return new MemoryRegion(MappedMemory.of(sizeBytes, hugePages), null);
    }

    /** The address of the first byte. */
    public long address() {
        return memory.address();
    }

    /** The descriptor that each send and receive must name; 0 if the provider needs none. */
    public long descriptor() {
        return registration == null ? 0 : registration.fid().getLong(StructLayout.MR_DESCRIPTOR);
    }

    /** A view in native byte order. Using it after {@link #close()} crashes the process. */
    public ByteBuffer buffer() {
        return memory.buffer();
    }

    /** Unregisters and unmaps the memory. No send or receive may use it. */
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
