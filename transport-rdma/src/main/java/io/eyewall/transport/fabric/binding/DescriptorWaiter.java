package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;

/** Lets a thread sleep until one of several file descriptors is readable, or another thread wakes it. */
public final class DescriptorWaiter implements AutoCloseable {

    private static final int POLLFD_BYTES = 8;
    private static final int POLLFD_EVENTS = 4;

    private final int wakeDescriptor;
    private final Memory counter = new Memory(Long.BYTES);
    private final Memory one = new Memory(Long.BYTES);
    private Memory descriptors;
    private int count;
    /** Guarded by this object's lock: a thread must not write to a closed descriptor, whose number may have been reused. */
    private boolean closed;

    /** A waiter without descriptors, whose sleep only {@link #wake()} ends. */
    public DescriptorWaiter() {
        wakeDescriptor = Libc.eventfd(0, Libc.EFD_NONBLOCK | Libc.EFD_CLOEXEC);
        if (wakeDescriptor < 0) {
            throw new FabricException("Cannot open an eventfd: errno " + Native.getLastError()
                + "; raise the number of open files (ulimit -n)");
        }
        one.setLong(0, 1);
        watch(List.of());
    }

    /** Sets the descriptors to sleep on. Only the sleeping thread may call it. */
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
     * Sleeps. A wake-up since the last sleep ends it at once. Only one thread may call it.
     *
     * @return false if the timeout passed
     */
    public boolean await(int timeoutMs) {
        int ready = Libc.poll(Pointer.nativeValue(descriptors), count, timeoutMs);
        if (ready < 0 && Native.getLastError() != Libc.EINTR) {
            throw new FabricException("Cannot wait for descriptors of libfabric: errno " + Native.getLastError());
        }
        if (ready > 0 && descriptors.getShort(POLLFD_EVENTS + Short.BYTES) != 0) {
            Libc.read(wakeDescriptor, Pointer.nativeValue(counter), Long.BYTES);
        }
        return ready > 0;
    }

    /**
     * Whether one of a range of descriptors was readable when {@link #await} last returned true. Only the sleeping thread may call it.
     *
     * @param from the index of the first descriptor in the list of {@link #watch}
     * @param to the index after the last
     */
    public boolean isReadable(int from, int to) {
        boolean readable = false;
        for (int i = from + 1; i <= to; i++) {
            readable |= descriptors.getShort((long) i * POLLFD_BYTES + POLLFD_EVENTS + Short.BYTES) != 0;
        }
        return readable;
    }

    /** Ends the current sleep, or the next one. Any thread may call it, even after the waiter is closed. */
    public synchronized void wake() {
        if (!closed) {
            Libc.write(wakeDescriptor, Pointer.nativeValue(one), Long.BYTES);
        }
    }

    /** Closes the waiter. No thread may be asleep. A second call does nothing. */
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
