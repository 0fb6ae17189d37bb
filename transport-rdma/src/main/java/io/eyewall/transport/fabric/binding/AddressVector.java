package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/** The peers of a tagged endpoint: names, as {@link Endpoint#name()} gives them, become numbers. */
public final class AddressVector extends FabricObject {

    AddressVector(String description, Pointer fid) {
        super(description, fid);
    }

    /**
     * Adds a peer.
     *
     * @param name what the peer's endpoint calls itself
     * @return the number to send to
     */
    public long insert(byte[] name) {
        try (Memory address = new Memory(name.length); Cell out = new Cell()) {
            address.write(0, name, 0, name.length);
            String attempt = "add a peer to " + this;
            int inserted = operations().call(attempt, StructLayout.AV_INSERT, fid(), address, 1L, out.pointer(), 0L, null);
            if (inserted != 1) {
                throw new FabricException(attempt + ": the library does not accept its name of " + name.length + " bytes");
            }
            return out.pointer().getLong(0);
        }
    }

    /** Removes a peer that nothing is being sent to any more. */
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
