package io.eyewall.transport.fabric.binding;

import java.util.Map;

/**
 * The calls that send and receive, once per frame. They take plain numbers and allocate nothing. All return 0 or a negative error number.
 * This is an interface so that another way to call C can replace JNA.
 */
interface TransferCalls {

    long send(long endpoint, long buffer, long length, long descriptor, long peer, long context);

    long recv(long endpoint, long buffer, long length, long descriptor, long peer, long context);

    long tsend(long endpoint, long buffer, long length, long descriptor, long peer, long tag, long context);

    long trecv(long endpoint, long buffer, long length, long descriptor, long peer, long tag, long ignoredBits, long context);

    /** The calls for an endpoint with these tables. A call of an operation that the endpoint's type lacks ends the process. */
    static TransferCalls of(OperationTable messages, OperationTable tagged) {
        return NativeCallBinder.of(TransferCalls.class, JnaTransferCalls.class, Map.of(
            "send", messages.address(StructLayout.TRANSFER_SEND),
            "recv", messages.address(StructLayout.TRANSFER_RECV),
            "tsend", tagged.address(StructLayout.TRANSFER_SEND),
            "trecv", tagged.address(StructLayout.TRANSFER_RECV)));
    }

    /** A pattern, of which {@link NativeCallBinder} binds copies. */
    final class JnaTransferCalls implements TransferCalls {

        @Override
        public native long send(long endpoint, long buffer, long length, long descriptor, long peer, long context);

        @Override
        public native long recv(long endpoint, long buffer, long length, long descriptor, long peer, long context);

        @Override
        public native long tsend(long endpoint, long buffer, long length, long descriptor, long peer, long tag, long context);

        @Override
        public native long trecv(long endpoint, long buffer, long length, long descriptor, long peer, long tag, long ignoredBits,
            long context);
    }
}
