package io.eyewall.transport.fabric.binding;

import com.sun.jna.Pointer;

/** An endpoint that listens for connections. */
public final class PassiveEndpoint extends FabricObject {

    PassiveEndpoint(String description, Pointer fid) {
        super(description, fid);
    }

    /** Starts to listen; requests arrive at the queue. */
    public void listen(EventQueue events) {
        bind(events, 0);
        cm().call("start " + this + " (is the port in use?)", StructLayout.CM_LISTEN, fid());
    }

    /** Turns a request down; close it afterwards. */
    public void reject(FabricInfo request) {
        cm().call("reject a connection to " + this, StructLayout.CM_REJECT, fid(),
            request.pointer().getPointer(StructLayout.INFO_HANDLE), null, 0L);
    }

    /** The address that it listens at, in the provider's format. */
    public byte[] name() {
        return Endpoint.name(this, cm());
    }

    /** What events of this listener carry. */
    public long key() {
        return address();
    }

    private OperationTable cm() {
        return OperationTable.of("fi_ops_cm", fid(), StructLayout.PASSIVE_CM);
    }
}
