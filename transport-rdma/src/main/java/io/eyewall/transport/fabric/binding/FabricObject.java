package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/** An object of libfabric. It must be closed once, after all objects that use it. */
abstract class FabricObject implements AutoCloseable {

    private final String description;
    private Pointer fid;

    FabricObject(String description, Pointer fid) {
        this.description = description;
        this.fid = fid;
    }

    /**
     * Closes the object. A second call does nothing.
     *
     * @throws FabricException if the library refuses, usually because the object is still in use
     */
    @Override
    public void close() {
        if (fid != null) {
            OperationTable.of("fi_ops", fid, StructLayout.FID_OPS).call("close " + description, StructLayout.OPS_CLOSE, fid);
            fid = null;
        }
    }

    @Override
    public final String toString() {
        return description;
    }

    /** The object's address in the library. */
    final Pointer fid() {
        if (fid == null) {
            throw new IllegalStateException(description + " is closed");
        }
        return fid;
    }

    final long address() {
        return Pointer.nativeValue(fid());
    }

    final int control(String attempt, int command, Pointer argument) {
        return OperationTable.of("fi_ops", fid(), StructLayout.FID_OPS).call(attempt, StructLayout.OPS_CONTROL, fid(), command, argument);
    }

    final void bind(FabricObject other, long flags) {
        OperationTable.of("fi_ops", fid(), StructLayout.FID_OPS)
            .call("bind " + this + " to " + other, StructLayout.OPS_BIND, fid(), other.fid(), flags);
    }

    /** The file descriptor of a queue, which is readable while the queue has entries. */
    final int waitDescriptor() {
        try (Memory descriptor = new Memory(Integer.BYTES)) {
            control("get the descriptor of " + this, StructLayout.CONTROL_GETWAIT, descriptor);
            return descriptor.getInt(0);
        }
    }

    /** Memory for one pointer that a call of the library returns. */
    static final class Cell implements AutoCloseable {

        private final Memory memory = new Memory(Native.POINTER_SIZE);

        Cell() {
            memory.clear();
        }

        Pointer pointer() {
            return memory;
        }

        Pointer value() {
            return memory.getPointer(0);
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
