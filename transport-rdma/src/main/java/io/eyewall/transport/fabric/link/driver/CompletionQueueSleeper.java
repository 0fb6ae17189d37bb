package io.eyewall.transport.fabric.link.driver;

/**
 * Sleeps in the library's own call, on the receive queue of the only device. Some datagram providers offer no other way: once readable,
 * their file descriptors stay readable.
 */
final class CompletionQueueSleeper implements Sleeper {

    private final NetworkDevice device;

    CompletionQueueSleeper(NetworkDevice device) {
        this.device = device;
    }

    @Override
    public boolean prepare() {
        return true;
    }

    @Override
    public boolean sleep(int timeoutMs) {
        device.receives().await(timeoutMs);
        return false;
    }

    @Override
    public void wake() {
        device.receives().wake();
    }
}
