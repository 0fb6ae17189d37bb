package io.eyewall.web.history;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the history shows, by its name in the REST API. Rates are per second, latencies milliseconds. */
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
    WORKERS("workers", Of.ALL, null, null);

    private static final double US_PER_MS = 1_000;

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
     * @param component null for the whole topology
     */
    Double value(Collection<Sample> within, Sample end, Sample before, String component) {
        return switch (this) {
            case CAPACITY -> within.stream().flatMap(sample -> components(sample, component)).map(Sample.Component::capacity)
                .max(Double::compare).orElse(null);
            case EXECUTORS -> (double) components(end, component).mapToInt(Sample.Component::executors).sum();
            case WORKERS -> (double) end.workers();
            default -> before == null ? null : growth(end, before, component);
        };
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
