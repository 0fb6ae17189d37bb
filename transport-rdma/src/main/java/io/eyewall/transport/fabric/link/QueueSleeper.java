package io.eyewall.transport.fabric.link;

/**
 * Sleeps within the library on the one queue of receives. Some providers of datagrams know no other way: their descriptors, once readable,
 * stay so.
 */
final class QueueSleeper implements Sleeper {

    /** How long a finished send, which ends no sleep, may go unnoticed by those who wait for it. */
    private static final int SENT_MS = 1;

    private final Rail rail;

    QueueSleeper(Rail rail) {
        this.rail = rail;
    }

    @Override
    public boolean prepare(boolean untilSent) {
        return true;
    }

    @Override
    public boolean sleep(int timeoutMs, boolean untilSent) {
        rail.receives().await(untilSent ? SENT_MS : timeoutMs);
        return false;
    }

    @Override
    public void wake() {
        rail.receives().wake();
    }
}
