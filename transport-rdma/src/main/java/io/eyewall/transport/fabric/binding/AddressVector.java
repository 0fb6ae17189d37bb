package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/** The peers of a tagged endpoint. Maps the names that {@link Endpoint#name()} returns to the numbers that sends use. */
public final class AddressVector extends FabricObject {

    AddressVector(String description, Pointer fid) {
        super(description, fid);
    }

    /**
     * Adds a peer.
     *
     * @param name the name of the peer's endpoint
     * @return the number to send to
     */
    public long insert(byte[] name) {
        try (Memory address = new Memory(name.length); Cell out = new Cell()) {
            address.write(0, name, 0, name.length);
            String attempt = "add a peer to " + this;
            int inserted = operations().call(attempt, StructLayout.AV_INSERT, fid(), address, 1L, out.pointer(), 0L, null);
            if (inserted != 1) {
                throw new FabricException(attempt + ": the library refused its name of " + name.length + " bytes");
            }
            return out.pointer().getLong(0);
        }
    }

    /** Removes a peer. No send to it may be in flight. */
    public void remove(long number) {
        try (Memory address = new Memory(Long.BYTES)) {
            address.setLong(0, number);
            operations().call("remove a peer from " + this, StructLayout.AV_REMOVE, fid(), address, 1L, 0L);
        }
    }

    private OperationTable operations() {
        return OperationTable.of("fi_ops_av", fid(), StructLayout.OBJECT_OPS);
    }
}
