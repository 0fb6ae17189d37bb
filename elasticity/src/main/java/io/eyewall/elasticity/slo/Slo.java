package io.eyewall.elasticity.slo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The service level objective of a topology (Xu's thesis, section 3.3): one or more thresholds, a priority, and what a performance below
 * the thresholds is worth. Immutable.
 *
 * <p>Example: with a threshold of 60 ms, a maximum utility of 35 and the knee function, a latency of 80 ms has the utility
 * 35 * 60 / 80 = 26.25. With several thresholds the utility is the mean of theirs: with a minimum juice of 0.9 as well, and a juice of 0.9,
 * it is (26.25 + 35) / 2.
 *
 * @param thresholds the threshold of each metric that has one, at least one; each above 0, and at most 1 for the juice
 * @param statistic the statistic that the latency's threshold is for
 * @param maxUtility the utility when all thresholds are attained, which is the topology's priority; above 0
 * @param function the text of the utility function, see {@link UtilityFunctions#parse}
 * @param utilityFunction the utility function
 */
public record Slo(Map<SloMetric, Double> thresholds, LatencyStatistic statistic, double maxUtility, String function,
        UtilityFunction utilityFunction) {

    /** Checks the ranges. */
    public Slo {
        if (thresholds.isEmpty()) {
            throw new IllegalArgumentException("An SLO needs a threshold for the latency, the juice or the throughput");
        }
        thresholds.forEach((metric, threshold) -> {
            if (!(threshold > 0 && Double.isFinite(threshold)) || (metric == SloMetric.JUICE && threshold > 1)) {
                throw new IllegalArgumentException("The threshold " + threshold + " of the " + metric.title() + " is out of range: it must "
                    + "be above 0" + (metric == SloMetric.JUICE ? " and at most 1" : ""));
            }
        });
        if (!(maxUtility > 0 && Double.isFinite(maxUtility))) {
            throw new IllegalArgumentException("The maximum utility " + maxUtility + " is out of range: it must be above 0");
        }
        thresholds = Collections.unmodifiableMap(new EnumMap<>(thresholds));
    }

    /**
     * An SLO with the utility function that a text describes.
     *
     * @throws IllegalArgumentException if a value is out of range or the text describes no utility function
     */
    public static Slo of(Map<SloMetric, Double> thresholds, LatencyStatistic statistic, double maxUtility, String function) {
        return new Slo(thresholds, statistic, maxUtility, function, UtilityFunctions.parse(function));
    }

    /**
     * The utility of a performance.
     *
     * @param values the current value of each metric that is known
     * @return from 0 to {@link #maxUtility}; empty if the value of a metric with a threshold is unknown. An unknown value does not count as
     *     0
     */
    public OptionalDouble utility(Map<SloMetric, Double> values) {
        return utility(values, thresholds.keySet());
    }

    /**
     * The part of the utility that comes from some of the thresholds.
     *
     * @param values the current value of each metric that is known
     * @param parts the metrics whose parts are added up; those without a threshold add nothing
     * @return from 0 to {@link #maxUtility}; empty if the value of one of them that has a threshold is unknown
     */
    public OptionalDouble utility(Map<SloMetric, Double> values, Set<SloMetric> parts) {
        double sum = 0;
        for (Map.Entry<SloMetric, Double> threshold : thresholds.entrySet()) {
            if (!parts.contains(threshold.getKey())) {
                continue;
            }
            double value = values.getOrDefault(threshold.getKey(), Double.NaN);
            if (!(value >= 0)) {
                return OptionalDouble.empty();
            }
            double share = utilityFunction.share(threshold.getKey().attainment(value, threshold.getValue()));
            // A class of a user's is checked at some attainments only.
            if (Double.isNaN(share)) {
                return OptionalDouble.empty();
            }
            sum += Math.max(0, Math.min(1, share));
        }
        return OptionalDouble.of(maxUtility * sum / thresholds.size());
    }

    /** Whether all thresholds are attained; false if a value is unknown. */
    public boolean isMet(Map<SloMetric, Double> values) {
        return thresholds.entrySet().stream().allMatch(threshold -> {
            double value = values.getOrDefault(threshold.getKey(), Double.NaN);
            return value >= 0 && threshold.getKey().attainment(value, threshold.getValue()) >= 1;
        });
    }

    /** The SLO in one line, such as {@code p99 latency at most 60 ms, worth 35 (knee)}. Equal SLOs have equal lines. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        thresholds.forEach((metric, threshold) -> parts.add((metric == SloMetric.LATENCY_MS ? statistic + " " : "") + metric.title()
            + (metric.isMinimum() ? " at least " : " at most ") + number(threshold)
            + (metric.unit().isEmpty() ? "" : " " + metric.unit())));
        return String.join(" and ", parts) + ", worth " + number(maxUtility) + " (" + function + ")";
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
    }
}
