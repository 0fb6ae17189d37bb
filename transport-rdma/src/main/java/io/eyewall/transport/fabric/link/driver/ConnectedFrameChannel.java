package io.eyewall.transport.fabric.link.driver;

import io.eyewall.transport.fabric.binding.Endpoint;

/** The channel of a link that has a connected endpoint of its own. */
final class ConnectedFrameChannel implements FrameChannel {

    private final Endpoint endpoint;
    private final long descriptor;
    private final NetworkDevice device;
    private final Runnable onClose;

    ConnectedFrameChannel(Endpoint endpoint, long descriptor, NetworkDevice device, Runnable onClose) {
        this.endpoint = endpoint;
        this.descriptor = descriptor;
        this.device = device;
        this.onClose = onClose;
    }

    @Override
    public long send(long address, int lengthBytes, long context) {
        return endpoint.send(address, lengthBytes, descriptor, context);
    }

    @Override
    public int pollSends() {
        return device.pollSends();
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
        // Closing the channel closed the endpoint, which belonged to this link alone.
    }

    @Override
    public String describe(long result) {
        return endpoint.failure("the provider refused an operation", result).getMessage();
    }
}
