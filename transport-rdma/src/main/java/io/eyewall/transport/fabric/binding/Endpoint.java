package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/**
 * Sends and receives messages. Several threads may send and receive at once. One thread binds, connects and closes the endpoint; no other
 * thread may send or receive while it closes.
 *
 * <p>Every send and receive has a context: the address of {@link #CONTEXT_BYTES} bytes of memory. The memory must stay mapped, and must not
 * be written to, until the completion is read. The completion returns the address.
 */
public final class Endpoint extends FabricObject {

    /** The length of a context. */
    public static final int CONTEXT_BYTES = StructLayout.CONTEXT_BYTES;

    private static final int NAME_BYTES = 256;
    /** The destination of a connected endpoint's sends. */
    private static final long NO_ADDRESS = -1;

    private final FabricInfo info;
    private TransferCalls calls;
    private long key;

    Endpoint(String description, FabricInfo info, Pointer fid) {
        super(description, fid);
        this.info = info;
        this.key = address();
    }

    /** Binds the queues for completed receives and completed sends, which may be the same queue. */
    public void bind(CompletionQueue receives, CompletionQueue sends) {
        if (receives == sends) {
            bind(receives, StructLayout.FLAG_SEND | StructLayout.FLAG_RECV);
        } else {
            bind(receives, StructLayout.FLAG_RECV);
            bind(sends, StructLayout.FLAG_SEND);
            sends.refresh();
        }
        receives.refresh();
    }

    /** Binds the queue for the events of the connection. */
    public void bind(EventQueue queue) {
        bind(queue, 0);
    }

    /** Binds the peers to which it can send. */
    public void bind(AddressVector peers) {
        bind(peers, 0);
    }

    /** Makes it ready to send and receive. Bind its queues before. */
    public void enable() {
        control("enable " + this, StructLayout.CONTROL_ENABLE, null);
        calls = TransferCalls.of(
            OperationTable.of("fi_ops_msg", fid(), StructLayout.ENDPOINT_MSG),
            OperationTable.of("fi_ops_tagged", fid(), StructLayout.ENDPOINT_TAGGED));
        key = address();
    }

    /** Connects to the peer that this endpoint was opened for. Enable it before; the event queue reports the result. */
    public void connect() {
        cm().call("connect " + this, StructLayout.CM_CONNECT, fid(), info.pointer().getPointer(StructLayout.INFO_DEST_ADDR), null, 0L);
    }

    /** Accepts the request for a connection that it was opened with. The event queue reports the result. */
    public void accept() {
        cm().call("accept on " + this, StructLayout.CM_ACCEPT, fid(), null, 0L);
    }

    /** The address of this endpoint, in the provider's format. */
    public byte[] name() {
        return name(this, cm());
    }

    /**
     * Posts a send over the connection.
     *
     * @return 0, or a negative error number, for which {@link #mustRetry} returns whether to try again
     */
    public long send(long buffer, long lengthBytes, long descriptor, long context) {
        return calls.send(key, buffer, lengthBytes, descriptor, NO_ADDRESS, context);
    }

    /** Posts a receive; see {@link #send}. */
    public long receive(long buffer, long lengthBytes, long descriptor, long context) {
        return calls.recv(key, buffer, lengthBytes, descriptor, NO_ADDRESS, context);
    }

    /** Posts a send with a tag to a peer of the address vector; see {@link #send}. */
    public long sendTagged(long buffer, long lengthBytes, long descriptor, long peer, long tag, long context) {
        return calls.tsend(key, buffer, lengthBytes, descriptor, peer, tag, context);
    }

    /** Posts a receive for messages from any peer with this tag, not compared in the ignored bits; see {@link #send}. */
    public long receiveTagged(long buffer, long lengthBytes, long descriptor, long tag, long ignoredBits, long context) {
        return calls.trecv(key, buffer, lengthBytes, descriptor, NO_ADDRESS, tag, ignoredBits, context);
    }

    /** Cancels a receive. It completes with an error, unless a message arrived before. */
    public void cancel(long context) {
        OperationTable.of("fi_ops_ep", fid(), StructLayout.ENDPOINT_OPS)
            .tryCall("cancel a receive of " + this, StructLayout.ENDPOINT_CANCEL, fid(), new Pointer(context));
    }

    /** Whether the provider lacked resources for a send or receive, which will succeed later. */
    public static boolean mustRetry(long result) {
        return result == -StructLayout.EAGAIN;
    }

    /** The exception for the result of a refused send or receive. */
    public FabricException failure(String attempt, long result) {
        return new FabricException(attempt + " on " + this, (int) -result);
    }

    /** Identifies this endpoint in events. */
    public long key() {
        return key;
    }

    static byte[] name(FabricObject endpoint, OperationTable cm) {
        try (Memory name = new Memory(NAME_BYTES); Memory length = new Memory(Long.BYTES)) {
            length.setLong(0, NAME_BYTES);
            cm.call("get the name of " + endpoint, StructLayout.CM_GETNAME, endpoint.fid(), name, length);
            return name.getByteArray(0, (int) length.getLong(0));
        }
    }

    private OperationTable cm() {
        return OperationTable.of("fi_ops_cm", fid(), StructLayout.ENDPOINT_CM);
    }
}
