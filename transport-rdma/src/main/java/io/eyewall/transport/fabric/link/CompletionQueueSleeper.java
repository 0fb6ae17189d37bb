package io.eyewall.transport.fabric.link;

/**
 * Sleeps within the library on the one queue of receives. Some providers of datagrams know no other way: their descriptors, once readable,
 * stay so.
 */
final class CompletionQueueSleeper implements Sleeper {

    private final NetworkDevice rail;

    CompletionQueueSleeper(NetworkDevice rail) {
        this.rail = rail;
    }

    @Override
    public boolean prepare() {
        return true;
    }

    @Override
    public boolean sleep(int timeoutMs) {
        rail.receives().await(timeoutMs);
        return false;
    }

    @Override
    public void wake() {
        rail.receives().wake();
    }
}
