package io.eyewall.tail.output;

import io.eyewall.tail.auto.HostCpu;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * The CPU load of the worker's host: the line {@code eyewall-host 1 <load> <busy> <measured>}. The load is that since the last request,
 * from 0 to 1 if all cores are busy, or {@code unknown}. A reader that wants the load of an interval of its own divides the growth of the
 * busy time by that of the measured time; both are in milliseconds, as in {@link HostCpu.Times}. Safe for use by any thread.
 */
final class HostPage extends TextPage {

    private static final String FORMAT = "eyewall-host 1";

    private final HostCpu cpu;
    private HostCpu.Times last;

    HostPage(HostCpu cpu) {
        this.cpu = cpu;
        last = cpu.read();
    }

    @Override
    synchronized String text() {
        HostCpu.Times now = cpu.read();
        OptionalDouble load = now.loadSince(last);
        last = now;
        return FORMAT + ' ' + (load.isPresent() ? String.valueOf(load.getAsDouble()) : "unknown") + ' ' + ms(now.busyNs()) + ' '
            + ms(now.measuredNs()) + '\n';
    }

    private static long ms(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
