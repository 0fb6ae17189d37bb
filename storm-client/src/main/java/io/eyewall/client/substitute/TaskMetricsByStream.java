package io.eyewall.client.substitute;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.storm.metrics2.RateCounter;
import org.apache.storm.metrics2.RollingAverageGauge;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.metrics2.TaskMetrics;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.utils.ConfigUtils;

/**
 * Upstream's metrics of a task, under upstream's names, found by the stream of the tuple. Upstream puts the name together and looks it up
 * at each sampled tuple. Used by all threads that emit and ack. Counts are in tuples, latencies in ms.
 */
public final class TaskMetricsByStream extends TaskMetrics {

    private final StormMetricRegistry registry;
    private final String topologyId;
    private final String componentId;
    private final int taskId;
    private final int port;
    private final int samplingRate;

    private final Map<String, RateCounter> emitted = new ConcurrentHashMap<>();
    private final Map<String, RateCounter> transferred = new ConcurrentHashMap<>();
    private final Map<String, Timed> completed = new ConcurrentHashMap<>();
    /** By component, then by its stream. */
    private final Map<String, Map<String, Timed>> executed = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Timed>> acked = new ConcurrentHashMap<>();

    /** Has the parameters of upstream's constructor. */
    public TaskMetricsByStream(WorkerTopologyContext context, String componentId, Integer taskId, StormMetricRegistry registry,
            Map<String, Object> topologyConf) {
        super(context, componentId, taskId, registry, topologyConf);
        this.registry = registry;
        this.topologyId = context.getStormId();
        this.componentId = componentId;
        this.taskId = taskId;
        this.port = context.getThisWorkerPort();
        this.samplingRate = ConfigUtils.samplingRate(topologyConf);
    }

    @Override
    public void emittedTuple(String stream) {
        of(emitted, stream, name -> counter("__emit-count-" + name, name)).inc(samplingRate);
    }

    @Override
    public void transferredTuples(String stream, int tuples) {
        of(transferred, stream, name -> counter("__transfer-count-" + name, name)).inc((long) tuples * samplingRate);
    }

    @Override
    public void spoutAckedTuple(String stream, long latencyMs) {
        of(completed, stream, name -> timed("__ack-count-" + name, "__complete-latency-" + name, name)).add(latencyMs);
    }

    @Override
    public void boltAckedTuple(String component, String stream, long latencyMs) {
        input(acked, "__ack-count-", "__process-latency-", component, stream).add(latencyMs);
    }

    @Override
    public void boltExecuteTuple(String component, String stream, long latencyMs) {
        input(executed, "__execute-count-", "__execute-latency-", component, stream).add(latencyMs);
    }

    private Timed input(Map<String, Map<String, Timed>> byComponent, String count, String latency, String component, String stream) {
        return of(of(byComponent, component, name -> new ConcurrentHashMap<>()), stream, name ->
            timed(count + component + ':' + name, latency + component + ':' + name, name));
    }

    /** Finds an entry without a lock, or makes it once. */
    private static <T> T of(Map<String, T> map, String key, Function<String, T> make) {
        T known = map.get(key);
        return known == null ? map.computeIfAbsent(key, make) : known;
    }

    private Timed timed(String count, String latency, String stream) {
        RollingAverageGauge gauge = new RollingAverageGauge();
        registry.gauge(latency, gauge, topologyId, componentId, stream, taskId, port);
        return new Timed(counter(count, stream), gauge, samplingRate);
    }

    private RateCounter counter(String name, String stream) {
        return registry.rateCounter(name, topologyId, componentId, taskId, port, stream);
    }

    /** The number of tuples and their latency. */
    private record Timed(RateCounter count, RollingAverageGauge latency, int samplingRate) {
        void add(long latencyMs) {
            count.inc(samplingRate);
            latency.addValue((double) latencyMs);
        }
    }
}
