package io.eyewall.transport.fabric.binding;

import java.util.Map;

/**
 * Sending and receiving, once per message: plain numbers in, no objects made. All functions return 0 or a negative error. An interface,
 * so that another way to call C can take the place of JNA.
 */
interface TransferCalls {

    long send(long endpoint, long buffer, long length, long descriptor, long peer, long context);

    long recv(long endpoint, long buffer, long length, long descriptor, long peer, long context);

    long tsend(long endpoint, long buffer, long length, long descriptor, long peer, long tag, long context);

    long trecv(long endpoint, long buffer, long length, long descriptor, long peer, long tag, long ignoredBits, long context);

    /** The calls for an endpoint with these tables. An operation that the endpoint's type lacks ends the process if it is called. */
    static TransferCalls of(OperationTable messages, OperationTable tagged) {
        return NativeCallBinder.of(TransferCalls.class, JnaTransferCalls.class, Map.of(
            "send", messages.address(StructLayout.TRANSFER_SEND),
            "recv", messages.address(StructLayout.TRANSFER_RECV),
            "tsend", tagged.address(StructLayout.TRANSFER_SEND),
            "trecv", tagged.address(StructLayout.TRANSFER_RECV)));
    }

    /** Never used itself: {@link NativeCallBinder} binds copies of it. */
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
