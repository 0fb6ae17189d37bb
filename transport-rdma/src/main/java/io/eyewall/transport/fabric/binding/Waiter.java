package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/** Lets a thread sleep until one of several descriptors is readable, or another thread wakes it. */
public final class Waiter implements AutoCloseable {

    private static final int POLLFD_BYTES = 8;
    private static final int POLLFD_EVENTS = 4;

    private final int wakeDescriptor;
    private final Memory counter = new Memory(Long.BYTES);
    private final Memory one = new Memory(Long.BYTES);
    private Memory descriptors;
    private int count;

    /** Makes a waiter that only {@link #wake()} ends before the time. */
    public Waiter() {
        wakeDescriptor = Libc.eventfd(0, Libc.EFD_NONBLOCK | Libc.EFD_CLOEXEC);
        if (wakeDescriptor < 0) {
            throw new FabricException("Cannot open an event descriptor: errno " + Native.getLastError()
                + "; raise the number of open files (ulimit -n)");
        }
        one.setLong(0, 1);
        watch();
    }

    /** Chooses the descriptors to sleep on, by the sleeping thread. */
    public void watch(int... watched) {
        if (descriptors != null) {
            descriptors.close();
        }
        count = watched.length + 1;
        descriptors = new Memory((long) count * POLLFD_BYTES);
        descriptors.clear();
        for (int i = 0; i < count; i++) {
            descriptors.setInt((long) i * POLLFD_BYTES, i == 0 ? wakeDescriptor : watched[i - 1]);
            descriptors.setShort((long) i * POLLFD_BYTES + POLLFD_EVENTS, (short) Libc.POLLIN);
        }
    }

    /** Sleeps, by one thread; returns false if nothing happened in time. A wake-up that came before counts. */
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

    /** Ends the sleep, or the next one. Safe for any thread until it is closed. */
    public void wake() {
        Libc.write(wakeDescriptor, Pointer.nativeValue(one), Long.BYTES);
    }

    @Override
    public void close() {
        Libc.close(wakeDescriptor);
        counter.close();
        one.close();
        descriptors.close();
    }
}
