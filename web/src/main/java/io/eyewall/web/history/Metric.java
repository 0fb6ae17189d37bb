package io.eyewall.web.history;

import io.eyewall.core.watch.MessageLatencies.Percentiles;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What the history shows, by its name in the REST API. Rates are per second, latencies milliseconds, heap megabytes of 2^20 bytes, CPU
 * cores that are busy; garbage collection and back-pressure a part of the time, and the queue the part that is occupied, from 0 to 1. Of
 * the whole topology heap and CPU are sums; the garbage collection, queue and back-pressure are those of the worst worker or component.
 */
public enum Metric {
    EMITTED("emitted", Of.ALL, Counter.EMITTED, null),
    TRANSFERRED("transferred", Of.ALL, Counter.TRANSFERRED, null),
    ACKED("acked", Of.MESSAGES, Counter.ACKED, null),
    FAILED("failed", Of.MESSAGES, Counter.FAILED, null),
    EXECUTED("executed", Of.BOLTS, Counter.EXECUTED, null),
    COMPLETE_LATENCY("completeLatency", Of.SPOUTS, Counter.COMPLETE_US, Counter.ACKED),
    EXECUTE_LATENCY("executeLatency", Of.BOLTS, Counter.EXECUTE_US, Counter.EXECUTED),
    PROCESS_LATENCY("processLatency", Of.BOLTS, Counter.PROCESS_US, Counter.ACKED),
    CAPACITY("capacity", Of.BOLTS, null, null),
    EXECUTORS("executors", Of.ALL, null, null),
    WORKERS("workers", Of.ALL, null, null),
    LATENCY_P50("latencyP50", Of.ALL, null, null),
    LATENCY_P99("latencyP99", Of.ALL, null, null),
    LATENCY_P999("latencyP999", Of.ALL, null, null),
    HEAP_USED("heapUsed", Of.ALL, null, null),
    HEAP_MAX("heapMax", Of.ALL, null, null),
    CPU("cpu", Of.ALL, null, null),
    GC("gc", Of.ALL, null, null),
    QUEUE("queue", Of.ALL, null, null),
    BACK_PRESSURE("backPressure", Of.ALL, null, null);

    private static final double US_PER_MS = 1_000;
    private static final double BYTES_PER_MB = 1 << 20;

    private final String title;
    private final Of of;
    private final Counter counter;
    private final Counter weight;

    /** Which components count; of messages those in which they begin, except where a component is asked for. */
    private enum Of { ALL, SPOUTS, BOLTS, MESSAGES }

    Metric(String title, Of of, Counter counter, Counter weight) {
        this.title = title;
        this.of = of;
        this.counter = counter;
        this.weight = weight;
    }

    /** Its name in the REST API. */
    public String title() {
        return title;
    }

    /** The metric of that name. */
    public static Optional<Metric> of(String title) {
        return Stream.of(values()).filter(metric -> metric.title.equals(title)).findFirst();
    }

    /** All names. */
    public static List<String> titles() {
        return Stream.of(values()).map(Metric::title).toList();
    }

    /**
     * The value of a step; null if it is not known.
     *
     * @param within the samples of the step, the last of which is its end; not empty
     * @param before the sample from which on rates count; null if there is none
     * @param part of the topology
     */
    Double value(Collection<Sample> within, Sample end, Sample before, Part part) {
        String component = part.component();
        return switch (this) {
            case LATENCY_P50 -> longest(within, part, Percentiles::p50Ms);
            case LATENCY_P99 -> longest(within, part, Percentiles::p99Ms);
            case LATENCY_P999 -> longest(within, part, Percentiles::p999Ms);
            case HEAP_USED -> highest(within, part, jvm -> jvm.heapUsedBytes() / BYTES_PER_MB, Double::sum);
            case HEAP_MAX -> highest(within, part, jvm -> jvm.heapMaxBytes() / BYTES_PER_MB, Double::sum);
            case CPU -> highest(within, part, Sample.Jvm::cpuCores, Double::sum);
            case GC -> highest(within, part, Sample.Jvm::gcShare, Math::max);
            default -> part.worker() == null ? ofComponents(within, end, before, component) : null;
        };
    }

    private Double ofComponents(Collection<Sample> within, Sample end, Sample before, String component) {
        return switch (this) {
            case CAPACITY -> within.stream().flatMap(sample -> components(sample, component)).map(Sample.Component::capacity)
                .max(Double::compare).orElse(null);
            case EXECUTORS -> (double) components(end, component).mapToInt(Sample.Component::executors).sum();
            case WORKERS -> (double) end.workers();
            case QUEUE -> fullest(within, component, Sample.Queue::load);
            case BACK_PRESSURE -> fullest(within, component, Sample.Queue::held);
            default -> before == null ? null : growth(end, before, component);
        };
    }

    private static Double fullest(Collection<Sample> within, String component, ToDoubleFunction<Sample.Queue> of) {
        return within.stream().flatMap(sample -> component == null ? sample.queues().values().stream()
            : Stream.ofNullable(sample.queues().get(component))).map(of::applyAsDouble).max(Double::compare).orElse(null);
    }

    private static Double longest(Collection<Sample> within, Part part, ToDoubleFunction<Percentiles> of) {
        return !part.isWhole() ? null : within.stream().map(Sample::latencies).filter(Objects::nonNull).map(of::applyAsDouble)
            .max(Double::compare).orElse(null);
    }

    /** The highest of the samples; of a sample what comes of all JVMs together. */
    private static Double highest(Collection<Sample> within, Part part, ToDoubleFunction<Sample.Jvm> of, DoubleBinaryOperator together) {
        return within.stream().map(sample -> sample.jvms().entrySet().stream()
                .filter(jvm -> part.isWhole() || jvm.getKey().equals(part.worker()))
                .mapToDouble(jvm -> of.applyAsDouble(jvm.getValue())).filter(value -> !Double.isNaN(value)).reduce(together))
            .filter(OptionalDouble::isPresent).map(OptionalDouble::getAsDouble).max(Double::compare).orElse(null);
    }

    private Double growth(Sample end, Sample before, String component) {
        if (weight == null) {
            return rate(end, before, component);
        }
        long count = total(weight, end, component) - total(weight, before, component);
        return count > 0 ? (total(counter, end, component) - total(counter, before, component)) / (count * US_PER_MS) : null;
    }

    /** The sum of the rates of components that have reported meanwhile; null if none has. */
    private Double rate(Sample end, Sample before, String component) {
        Double sum = null;
        for (String id : end.components().keySet()) {
            Sample.Component then = before.components().get(id);
            Sample.Component now = end.components().get(id);
            if ((component == null || component.equals(id)) && counts(now, component) && then != null && now.readSecs() > then.readSecs()) {
                double grown = now.counters().total(counter) - then.counters().total(counter);
                sum = (sum == null ? 0 : sum) + grown / (now.readSecs() - then.readSecs());
            }
        }
        return sum;
    }

    private long total(Counter summed, Sample sample, String component) {
        return components(sample, component).mapToLong(each -> each.counters().total(summed)).sum();
    }

    private Stream<Sample.Component> components(Sample sample, String component) {
        Stream<Sample.Component> asked =
            component == null ? sample.components().values().stream() : Stream.ofNullable(sample.components().get(component));
        return asked.filter(each -> counts(each, component));
    }

    private boolean counts(Sample.Component each, String component) {
        return switch (of) {
            case ALL -> true;
            case SPOUTS -> each.spout();
            case BOLTS -> !each.spout();
            case MESSAGES -> component != null || each.spout();
        };
    }
}
