package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/** Returns events of connections. */
public final class EventQueue extends FabricObject {

    private static final int ENTRY_BYTES = 512;

    private final Memory event = new Memory(Integer.BYTES);
    private final Memory entry = new Memory(ENTRY_BYTES);

    EventQueue(String description, Pointer fid) {
        super(description, fid);
    }

    /** Handles the events that {@link #poll} reads. */
    public interface Handler {

        /**
         * A peer requests a connection.
         *
         * @param listener the {@link PassiveEndpoint#key()} of the endpoint that listens
         * @param request to open and accept an endpoint with, or to reject; the handler closes it
         */
        void onRequest(long listener, FabricInfo request);

        /** The endpoint with this {@link Endpoint#key()} is connected. */
        void onConnected(long endpoint);

        /** The peer of the endpoint with this {@link Endpoint#key()} has shut the connection down. */
        void onShutdown(long endpoint);

        /** The connection of the endpoint with this {@link Endpoint#key()} could not be established, or failed. */
        void onError(long endpoint, FabricException cause);
    }

    /** Handles one event if there is one; returns how many it handled. */
    public int poll(Handler handler) {
        OperationTable operations = OperationTable.of("fi_ops_eq", fid(), StructLayout.OBJECT_OPS);
        String attempt = "read " + this;
        int result = operations.tryCall(attempt, StructLayout.EQ_READ, fid(), event, entry, (long) ENTRY_BYTES, 0L);
        if (result == -StructLayout.EAGAIN) {
            return 0;
        }
        if (result == -StructLayout.EAVAIL) {
            entry.clear();
            operations.call(attempt, StructLayout.EQ_READERR, fid(), entry, 0L);
            handler.onError(entry.getLong(StructLayout.EQ_ERROR_FID),
                new FabricException("connect", entry.getInt(StructLayout.EQ_ERROR_ERR)));
            return 1;
        }
        FabricException.check(attempt, result);
        dispatch(handler);
        return 1;
    }

    /** The file descriptor that is readable while there is an event. */
    public int descriptor() {
        return waitDescriptor();
    }

    @Override
    public void close() {
        super.close();
        event.close();
        entry.close();
    }

    private void dispatch(Handler handler) {
        long fid = entry.getLong(StructLayout.EQ_CM_FID);
        switch (event.getInt(0)) {
            case StructLayout.EVENT_CONNREQ -> handler.onRequest(fid, new FabricInfo(entry.getPointer(StructLayout.EQ_CM_INFO)));
            case StructLayout.EVENT_CONNECTED -> handler.onConnected(fid);
            case StructLayout.EVENT_SHUTDOWN -> handler.onShutdown(fid);
            default -> throw new FabricException("read " + this + ": unknown event " + event.getInt(0));
        }
    }
}
