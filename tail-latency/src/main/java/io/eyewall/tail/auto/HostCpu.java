package io.eyewall.tail.auto;

import com.sun.management.OperatingSystemMXBean;
import io.eyewall.client.time.NanoClock;
import java.lang.management.ManagementFactory;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;

/**
 * For how long the cores of the worker's host have been busy. The JVM itself measures the load from one call to the next, whoever calls.
 * Here the times grow, so each reader gets the load since its own last read. In a container with a CPU limit they are the container's. Safe
 * for use by any thread.
 */
public final class HostCpu {

    /** The host of this process. */
    public static final HostCpu SYSTEM = new HostCpu(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)::getCpuLoad,
        NanoClock.SYSTEM);

    private final DoubleSupplier loadSinceLastCall;
    private final NanoClock clock;
    private long lastNs;
    private long busyNs;
    private long measuredNs;

    /**
     * Begins to measure.
     *
     * @param loadSinceLastCall returns the load from 0 to 1 since it was last called, and a negative number or NaN if it does not know
     */
    public HostCpu(DoubleSupplier loadSinceLastCall, NanoClock clock) {
        this.loadSinceLastCall = loadSinceLastCall;
        this.clock = clock;
        read();
        busyNs = 0;
        measuredNs = 0;
    }

    /**
     * The times since this object was made.
     *
     * @param busyNs the time that the cores were busy, divided by their number, in nanoseconds
     * @param measuredNs the time for which that is known, in nanoseconds
     */
    public record Times(long busyNs, long measuredNs) {

        /** The load since an earlier read, from 0 to 1 if all cores were busy; empty if nothing was measured since. */
        public OptionalDouble loadSince(Times earlier) {
            long measured = measuredNs - earlier.measuredNs;
            return measured > 0 ? OptionalDouble.of((double) (busyNs - earlier.busyNs) / measured) : OptionalDouble.empty();
        }
    }

    /** Measures until now. */
    public synchronized Times read() {
        long nowNs = clock.nanoTime();
        double load = loadSinceLastCall.getAsDouble();
        if (load >= 0) {
            busyNs += Math.round(load * (nowNs - lastNs));
            measuredNs += nowNs - lastNs;
        }
        lastNs = nowNs;
        return new Times(busyNs, measuredNs);
    }
}
