package io.eyewall.transport.fabric.binding;

import com.sun.jna.Pointer;

/** An endpoint that listens for connections. */
public final class PassiveEndpoint extends FabricObject {

    PassiveEndpoint(String description, Pointer fid) {
        super(description, fid);
    }

    /** Starts to listen. The queue returns the requests of peers. */
    public void listen(EventQueue events) {
        bind(events, 0);
        cm().call("start " + this + " (is the port in use?)", StructLayout.CM_LISTEN, fid());
    }

    /** Rejects a request, which the caller then closes. */
    public void reject(FabricInfo request) {
        cm().call("reject a connection to " + this, StructLayout.CM_REJECT, fid(),
            request.pointer().getPointer(StructLayout.INFO_HANDLE), null, 0L);
    }

    /** The address at which it listens, in the provider's format. */
    public byte[] name() {
        return Endpoint.name(this, cm());
    }

    /** Identifies this endpoint in events. */
    public long key() {
        return address();
    }

    private OperationTable cm() {
        return OperationTable.of("fi_ops_cm", fid(), StructLayout.PASSIVE_CM);
    }
}
