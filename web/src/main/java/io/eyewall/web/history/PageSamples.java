package io.eyewall.web.history;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.CommonAggregateStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.ObjectReader;

/** Turns what Nimbus says about a topology since its start into a sample. Pure. */
final class PageSamples {

    private static final double US_PER_MS = 1_000;

    private PageSamples() {
    }

    /**
     * The sample that follows another of the same topology.
     *
     * @param previous null for the first
     * @param reportSecs how often workers report where the topology does not say it
     * @param seen what its workers say
     * @param events what has happened meanwhile
     */
    static Sample next(Sample previous, TopologyPageInfo page, long timeSecs, int reportSecs, WorkerWatch.Seen seen,
            List<Event> events) {
        SortedMap<String, Sample.Component> components = new TreeMap<>(previous == null ? new TreeMap<>() : previous.components());
        page.get_id_to_spout_agg_stats().forEach((id, stats) -> components.merge(id, component(stats, true, timeSecs), PageSamples::next));
        page.get_id_to_bolt_agg_stats().forEach((id, stats) -> components.merge(id, component(stats, false, timeSecs), PageSamples::next));
        int ownReportSecs = previous == null ? reportSecs(page.get_topology_conf(), reportSecs) : previous.reportSecs();
        return new Sample(timeSecs, ownReportSecs, page.get_status(), page.get_num_workers(), components, seen.jvms(),
            seen.latencies(), seen.queues(), events);
    }

    private static Sample.Component next(Sample.Component before, Sample.Component read) {
        long readSecs = read.counters().isReport() ? read.readSecs() : before.readSecs();
        return new Sample.Component(read.spout(), read.executors(), read.capacity(), readSecs, before.counters().next(read.counters()));
    }

    private static Sample.Component component(ComponentAggregateStats stats, boolean spout, long timeSecs) {
        CommonAggregateStats common = stats.get_common_stats();
        long executed = 0;
        double executeMs = 0;
        double processMs = 0;
        double completeMs = 0;
        double capacity = 0;
        if (spout) {
            completeMs = stats.get_specific_stats().get_spout().get_complete_latency_ms();
        } else {
            BoltAggregateStats bolt = stats.get_specific_stats().get_bolt();
            executed = bolt.get_executed();
            executeMs = bolt.get_execute_latency_ms();
            processMs = bolt.get_process_latency_ms();
            capacity = bolt.get_capacity();
        }
        Counters counters = Counters.first(common.get_emitted(), common.get_transferred(), common.get_acked(), common.get_failed(),
            executed, us(executeMs, executed), us(processMs, common.get_acked()), us(completeMs, common.get_acked()));
        return new Sample.Component(spout, common.get_num_executors(), capacity, timeSecs, counters);
    }

    /** The time that an average over so many stands for. */
    private static long us(double averageMs, long count) {
        return Math.round(averageMs * count * US_PER_MS);
    }

    private static int reportSecs(String configuration, int otherwise) {
        return JSONValue.parse(configuration) instanceof Map<?, ?> conf
            ? ObjectReader.getInt(conf.get(Config.EXECUTOR_METRICS_FREQUENCY_SECS), otherwise) : otherwise;
    }
}
