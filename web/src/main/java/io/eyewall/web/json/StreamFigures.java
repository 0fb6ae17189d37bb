package io.eyewall.web.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;

/** The figures of one component's streams in one window, added up over its executors; latencies are weighted by counts. */
final class StreamFigures {

    private final List<ExecutorStats> executors;
    private final String window;
    private final Predicate<String> counts;

    /** The executors are those of one component; {@code counts} says which streams are shown. */
    StreamFigures(List<ExecutorSummary> executors, String window, Predicate<String> counts) {
        this.executors = executors.stream().filter(ExecutorSummary::is_set_stats).map(ExecutorSummary::get_stats).toList();
        this.window = window;
        this.counts = counts;
    }

    Map<String, Object> spout(String id) {
        List<SpoutStats> spouts = executors.stream().map(stats -> stats.get_specific().get_spout()).toList();
        Map<String, Object> json = sent(id);
        json.put("acked", outputs(sums(spouts, SpoutStats::get_acked)));
        json.put("failed", outputs(sums(spouts, SpoutStats::get_failed)));
        json.put("complete_ms_avg", outputs(averages(spouts, SpoutStats::get_complete_ms_avg, SpoutStats::get_acked)));
        return json;
    }

    Map<String, Object> bolt(String id) {
        List<BoltStats> bolts = executors.stream().map(stats -> stats.get_specific().get_bolt()).toList();
        Map<String, Object> json = sent(id);
        json.put("acked", inputs(sums(bolts, BoltStats::get_acked)));
        json.put("failed", inputs(sums(bolts, BoltStats::get_failed)));
        json.put("process_ms_avg", inputs(averages(bolts, BoltStats::get_process_ms_avg, BoltStats::get_acked)));
        json.put("executed", inputs(sums(bolts, BoltStats::get_executed)));
        json.put("executed_ms_avg", inputs(averages(bolts, BoltStats::get_execute_ms_avg, BoltStats::get_executed)));
        return json;
    }

    /** How many tuples went over all streams that are shown. */
    long transferred() {
        return sums(executors, ExecutorStats::get_transferred).entrySet().stream().filter(entry -> counts.test(entry.getKey()))
            .mapToLong(Map.Entry::getValue).sum();
    }

    /** The latency over all streams that are shown; the executors are a spout's. */
    double completeLatencyMs() {
        List<SpoutStats> spouts = executors.stream().map(stats -> stats.get_specific().get_spout()).toList();
        return overall(spouts, SpoutStats::get_complete_ms_avg, SpoutStats::get_acked, counts);
    }

    /** The same of a bolt, from a tuple's arrival to its ack. */
    double processLatencyMs() {
        List<BoltStats> bolts = executors.stream().map(stats -> stats.get_specific().get_bolt()).toList();
        return overall(bolts, BoltStats::get_process_ms_avg, BoltStats::get_acked, stream -> counts.test(stream.get_streamId()));
    }

    private <S, K> double overall(List<S> stats, Function<S, Map<String, Map<K, Double>>> averageMs,
            Function<S, Map<String, Map<K, Long>>> weight, Predicate<K> shown) {
        double product = 0;
        long total = 0;
        for (S each : stats) {
            Map<K, Long> own = weight.apply(each).getOrDefault(window, Map.of());
            for (Map.Entry<K, Double> entry : averageMs.apply(each).getOrDefault(window, Map.of()).entrySet()) {
                if (shown.test(entry.getKey())) {
                    product += entry.getValue() * own.getOrDefault(entry.getKey(), 0L);
                    total += own.getOrDefault(entry.getKey(), 0L);
                }
            }
        }
        return total == 0 ? 0 : product / total;
    }

    private Map<String, Object> sent(String id) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("emitted", outputs(sums(executors, ExecutorStats::get_emitted)));
        json.put("transferred", outputs(sums(executors, ExecutorStats::get_transferred)));
        return json;
    }

    private <S, K> Map<K, Long> sums(List<S> stats, Function<S, Map<String, Map<K, Long>>> figure) {
        Map<K, Long> sums = new TreeMap<>();
        for (S each : stats) {
            figure.apply(each).getOrDefault(window, Map.of()).forEach((stream, count) -> sums.merge(stream, count, Long::sum));
        }
        return sums;
    }

    private <S, K> Map<K, String> averages(List<S> stats, Function<S, Map<String, Map<K, Double>>> averageMs,
            Function<S, Map<String, Map<K, Long>>> weight) {
        Map<K, Double> products = new TreeMap<>();
        Map<K, Long> weights = sums(stats, weight);
        for (S each : stats) {
            Map<K, Long> own = weight.apply(each).getOrDefault(window, Map.of());
            averageMs.apply(each).getOrDefault(window, Map.of())
                .forEach((stream, average) -> products.merge(stream, average * own.getOrDefault(stream, 0L), Double::sum));
        }
        Map<K, String> averages = new TreeMap<>();
        products.forEach((stream, product) -> {
            long total = weights.getOrDefault(stream, 0L);
            averages.put(stream, Values.number(total == 0 ? 0 : product / total));
        });
        return averages;
    }

    private List<Map<String, Object>> outputs(Map<String, ?> byStream) {
        List<Map<String, Object>> json = new ArrayList<>();
        byStream.forEach((stream, value) -> {
            if (counts.test(stream)) {
                Map<String, Object> figure = new LinkedHashMap<>();
                figure.put("stream_id", stream);
                figure.put("value", value);
                json.add(figure);
            }
        });
        return json;
    }

    private List<Map<String, Object>> inputs(Map<GlobalStreamId, ?> byStream) {
        List<Map<String, Object>> json = new ArrayList<>();
        byStream.forEach((stream, value) -> {
            if (counts.test(stream.get_streamId())) {
                Map<String, Object> figure = new LinkedHashMap<>();
                figure.put("component_id", stream.get_componentId());
                figure.put("stream_id", stream.get_streamId());
                figure.put("value", value);
                json.add(figure);
            }
        });
        return json;
    }
}
