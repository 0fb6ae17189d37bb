package io.eyewall.tail.output;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;

/**
 * The CPU load of the worker's host since the last request: the line {@code eyewall-host 1 <load>}, from 0 to 1 if all cores are busy, or
 * {@code unknown} in its place. In a container with a CPU limit it is the container's. Safe for use by any thread.
 */
final class HostPage extends TextPage {

    private static final String FORMAT = "eyewall-host 1";

    private final DoubleSupplier cpuLoad;

    HostPage() {
        this(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)::getCpuLoad);
        // The JVM measures from one call to the next.
        text();
    }

    /** A page of another source, which returns a negative number or NaN if it does not know. */
    HostPage(DoubleSupplier cpuLoad) {
        this.cpuLoad = cpuLoad;
    }

    @Override
    String text() {
        double load = cpuLoad.getAsDouble();
        return FORMAT + ' ' + (load >= 0 ? String.valueOf(load) : "unknown") + '\n';
    }
}
