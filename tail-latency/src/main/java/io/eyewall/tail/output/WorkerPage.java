package io.eyewall.tail.output;

import com.sun.management.OperatingSystemMXBean;
import io.eyewall.tail.recording.MeasuringPoint;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What the worker's JVM uses, and how long its messages take: the line {@code eyewall-worker 1 <topologyId> <epochMs>}, a line with the
 * bytes of heap that are used and that may be used, and the milliseconds of CPU and of garbage collection since the worker started; then a
 * line for each component that has recorded complete or end-to-end latencies, with the point, the component and the compressed histogram in
 * base 64 of all of them; separated by tabs. Safe for use by any thread.
 */
final class WorkerPage extends TextPage {

    /** How the page begins, before the id of the topology. */
    static final String FORMAT = "eyewall-worker 1";
    private static final Set<MeasuringPoint> POINTS = EnumSet.of(MeasuringPoint.COMPLETE, MeasuringPoint.END_TO_END);

    private final HopCollector collector;
    private final String topologyId;
    private final Clock clock;

    WorkerPage(HopCollector collector, String topologyId, Clock clock) {
        this.collector = collector;
        this.topologyId = topologyId;
        this.clock = clock;
    }

    @Override
    String text() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long cpuMs = TimeUnit.NANOSECONDS.toMillis(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime());
        long gcMs = ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .filter(ms -> ms > 0).sum();
        StringBuilder page = new StringBuilder(FORMAT).append(' ').append(topologyId).append(' ').append(clock.millis()).append('\n')
            .append(heap.getUsed()).append('\t').append(heap.getMax()).append('\t').append(cpuMs).append('\t').append(gcMs).append('\n');
        SortedMap<String, Histogram> latencies = new TreeMap<>();
        collector.collect(POINTS::contains, hop ->
            latencies.computeIfAbsent(hop.key().point().label() + '\t' + hop.key().component(),
                each -> new Histogram(hop.total().getNumberOfSignificantValueDigits())).add(hop.total()));
        latencies.forEach((key, histogram) -> page.append(key).append('\t').append(LatencyPage.base64(histogram)).append('\n'));
        return page.toString();
    }
}
