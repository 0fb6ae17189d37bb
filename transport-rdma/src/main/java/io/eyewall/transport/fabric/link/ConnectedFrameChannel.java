package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.Endpoint;
import java.util.function.IntSupplier;

/** The way of one link over its own connected endpoint. */
final class ConnectedFrameChannel implements FrameChannel {

    private final Endpoint endpoint;
    private final long descriptor;
    private final IntSupplier pollSends;
    private final Runnable onClose;

    ConnectedFrameChannel(Endpoint endpoint, long descriptor, IntSupplier pollSends, Runnable onClose) {
        this.endpoint = endpoint;
        this.descriptor = descriptor;
        this.pollSends = pollSends;
        this.onClose = onClose;
    }

    @Override
    public long send(long address, int lengthBytes, long context) {
        return endpoint.send(address, lengthBytes, descriptor, context);
    }

    @Override
    public int pollSends() {
        return pollSends.getAsInt();
    }

    @Override
    public long receive(long address, int lengthBytes, long context) {
        return endpoint.receive(address, lengthBytes, descriptor, context);
    }

    @Override
    public boolean close(long[] receiveContexts) {
        onClose.run();
        endpoint.close();
        return true;
    }

    @Override
    public void released() {
        // The endpoint was this link's alone, and is closed already.
    }

    @Override
    public String describe(long result) {
        return endpoint.failure("the provider refused", result).getMessage();
    }
}
