package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/** A network that a provider reaches. All other objects of the library are opened through it. */
public final class Fabric extends FabricObject {

    private Fabric(FabricInfo info, Pointer fid) {
        super("fabric " + info.domainName(), fid);
    }

    /** Whether this process can use libfabric. The first call loads it. Safe for any thread. */
    public static boolean isAvailable() {
        return Libfabric.unavailabilityCause() == null;
    }

    /** Why this process cannot use libfabric, with the remedy, or null if it can. Safe for any thread. */
    public static Throwable unavailabilityCause() {
        return Libfabric.unavailabilityCause();
    }

    /** Opens the fabric that the library's reply to a query names. */
    public static Fabric open(FabricInfo info) {
        Libfabric.require();
        try (Cell out = new Cell()) {
            FabricException.check("open fabric " + info,
                Libfabric.fabric(info.pointer().getPointer(StructLayout.INFO_FABRIC), out.pointer(), null));
            return new Fabric(info, out.value());
        }
    }

    /** Opens the device that the library's reply to a query names. */
    public Domain openDomain(FabricInfo info) {
        return new Domain(this, info, openWith("domain " + info, StructLayout.FABRIC_DOMAIN, info));
    }

    /** Opens a queue for events of connections. */
    public EventQueue openEventQueue() {
        try (Memory attributes = new Memory(StructLayout.EQ_ATTR_BYTES); Cell out = new Cell()) {
            attributes.clear();
            attributes.setInt(StructLayout.EQ_ATTR_WAIT_OBJ, StructLayout.WAIT_FD);
            operations().call("open an event queue of " + this, StructLayout.FABRIC_EQ_OPEN, fid(), attributes, out.pointer(), null);
            return new EventQueue("event queue of " + this, out.value());
        }
    }

    /** Opens an endpoint that listens at the address of a {@linkplain FabricQuery#local local} query. */
    public PassiveEndpoint openPassiveEndpoint(FabricInfo info) {
        return new PassiveEndpoint("listener on " + info, openWith("listener on " + info, StructLayout.FABRIC_PASSIVE, info));
    }

    /** The address of the function that prepares queues of this fabric for a sleep. */
    long waitOperation() {
        return operations().address(StructLayout.FABRIC_TRYWAIT);
    }

    private Pointer openWith(String what, int operation, FabricInfo info) {
        try (Cell out = new Cell()) {
            operations().call("open " + what, operation, fid(), info.pointer(), out.pointer(), null);
            return out.value();
        }
    }

    private OperationTable operations() {
        return OperationTable.of("fi_ops_fabric", fid(), StructLayout.OBJECT_OPS);
    }
}
