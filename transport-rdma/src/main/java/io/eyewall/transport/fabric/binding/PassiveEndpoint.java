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
        cm().call("start " + this + " (is the port in use?)", Layout.CM_LISTEN, fid());
    }

    /** Turns a request down; close it afterwards. */
    public void reject(FabricInfo request) {
        cm().call("reject a connection to " + this, Layout.CM_REJECT, fid(), request.pointer().getPointer(Layout.INFO_HANDLE), null, 0L);
    }

    /** The address that it listens at, in the provider's format. */
    public byte[] name() {
        return Endpoint.name(this, cm());
    }

    /** What events of this listener carry. */
    public long key() {
        return address();
    }

    private Operations cm() {
        return Operations.of("fi_ops_cm", fid(), Layout.PASSIVE_CM);
    }
}
