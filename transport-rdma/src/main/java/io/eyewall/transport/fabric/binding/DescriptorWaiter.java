package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;

/** Lets a thread sleep until one of several descriptors is readable, or another thread wakes it. */
public final class DescriptorWaiter implements AutoCloseable {

    private static final int POLLFD_BYTES = 8;
    private static final int POLLFD_EVENTS = 4;

    private final int wakeDescriptor;
    private final Memory counter = new Memory(Long.BYTES);
    private final Memory one = new Memory(Long.BYTES);
    private Memory descriptors;
    private int count;
    /** Guarded by this: whoever wakes must not write to a descriptor that belongs to another by then. */
    private boolean closed;

    /** Makes a waiter that only {@link #wake()} ends before the time. */
    public DescriptorWaiter() {
        wakeDescriptor = Libc.eventfd(0, Libc.EFD_NONBLOCK | Libc.EFD_CLOEXEC);
        if (wakeDescriptor < 0) {
            throw new FabricException("Cannot open an event descriptor: errno " + Native.getLastError()
                + "; raise the number of open files (ulimit -n)");
        }
        one.setLong(0, 1);
        watch(List.of());
    }

    /** Chooses the descriptors to sleep on, by the sleeping thread. */
    public void watch(List<Integer> chosen) {
        if (descriptors != null) {
            descriptors.close();
        }
        List<Integer> watched = new ArrayList<>(List.of(wakeDescriptor));
        watched.addAll(chosen);
        count = watched.size();
        descriptors = new Memory((long) count * POLLFD_BYTES);
        descriptors.clear();
        for (int i = 0; i < count; i++) {
            descriptors.setInt((long) i * POLLFD_BYTES, watched.get(i));
            descriptors.setShort((long) i * POLLFD_BYTES + POLLFD_EVENTS, (short) Libc.POLLIN);
        }
    }

    /**
     * Sleeps, by one thread. A wake-up that came before counts.
     *
     * @return false if nothing happened in time
     */
    public boolean await(int timeoutMs) {
        int ready = Libc.poll(Pointer.nativeValue(descriptors), count, timeoutMs);
        if (ready < 0 && Native.getLastError() != Libc.EINTR) {
            throw new FabricException("Cannot wait for libfabric: errno " + Native.getLastError());
        }
        if (ready > 0 && descriptors.getShort(POLLFD_EVENTS + Short.BYTES) != 0) {
            Libc.read(wakeDescriptor, Pointer.nativeValue(counter), Long.BYTES);
        }
        return ready > 0;
    }

    /**
     * Whether one of the chosen was readable when {@link #await} last returned true; by the sleeping thread.
     *
     * @param from the place of the first in question in the list given
     * @param to the place after the last
     */
    public boolean isReadable(int from, int to) {
        boolean readable = false;
        for (int i = from + 1; i <= to; i++) {
            readable |= descriptors.getShort((long) i * POLLFD_BYTES + POLLFD_EVENTS + Short.BYTES) != 0;
        }
        return readable;
    }

    /** Ends the sleep, or the next one. Safe for any thread, even if it is closed meanwhile. */
    public synchronized void wake() {
        if (!closed) {
            Libc.write(wakeDescriptor, Pointer.nativeValue(one), Long.BYTES);
        }
    }

    /** Nobody may sleep any more. Does nothing the second time. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        Libc.close(wakeDescriptor);
        counter.close();
        one.close();
        descriptors.close();
    }
}
