package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.elasticity.henge.HengeState;
import io.eyewall.elasticity.henge.Observation;
import io.eyewall.elasticity.henge.SloStatus;
import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import io.eyewall.scheduler.cluster.ClusterView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Puts what a round has measured into the words of a {@link SloReport}. */
final class SloRows {

    /** From here on latencies are in seconds. */
    private static final double IN_SECONDS_MS = 10_000;
    private static final double MS_PER_SEC = 1_000;

    private SloRows() {
    }

    /** A row for each topology that has an SLO, by name. */
    static List<SloReport.Row> of(ClusterView view, Observation now, SloFigures.Measured measured, List<HengeEvent> log) {
        List<SloReport.Row> rows = new ArrayList<>();
        now.statuses().forEach((id, status) -> {
            String name = view.topologies().get(id).name();
            String missing = measured.figures().get(id).missing();
            boolean known = status.slo().utility(status.values()).isPresent();
            String state = known ? status.slo().isMet(status.values()) ? SloReport.MET : SloReport.MISSED
                : "left alone: " + (missing.isEmpty() ? SloFigures.NEVER_MEASURED : missing);
            Optional<HengeEvent> last = lastAction(name, log);
            rows.add(new SloReport.Row(name, status.slo().toString(), values(status), status.slo().utility(status.values()),
                status.slo().maxUtility(), state, last.map(HengeEvent::line).orElse(""), last.map(HengeEvent::timeMs).orElse(0L)));
        });
        rows.sort(Comparator.comparing(SloReport.Row::topologyName));
        return rows;
    }

    /** What the scheduler does, in one line. */
    static String activity(HengeState state, List<HengeEvent> log) {
        return state.pending().map(pending -> (pending.appliedMs().isPresent() ? "waits until step " : "applies step ")
                + pending.plan().step() + " (" + pending.plan().action() + ")"
                + (pending.appliedMs().isPresent() ? " has settled" : ""))
            .orElse(state.epoch().isEmpty() ? "no topology has an SLO" : state.converged() ? "has ended its search" + outcome(log)
                : "looks for a step");
    }

    /** How the last search has ended. */
    private static String outcome(List<HengeEvent> log) {
        return log.stream().filter(event -> event.kind() == HengeEvent.Kind.CONVERGED).reduce((first, second) -> second)
            .map(event -> ", " + event.text()).orElse("");
    }

    private static String values(SloStatus status) {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<SloMetric, Double> threshold : status.slo().thresholds().entrySet()) {
            SloMetric metric = threshold.getKey();
            Double value = status.values().get(metric);
            parts.add(title(status.slo(), metric) + " " + (value == null ? "unknown" : value(metric, value)));
        }
        return String.join(", ", parts);
    }

    private static String value(SloMetric metric, double value) {
        return switch (metric) {
            case JUICE -> String.format(Locale.ROOT, "%.3f", value);
            case LATENCY_MS -> value < IN_SECONDS_MS ? String.format(Locale.ROOT, "%.1f ms", value)
                : String.format(Locale.ROOT, "%.1f s", value / MS_PER_SEC);
            case THROUGHPUT_PER_SEC -> String.format(Locale.ROOT, "%.1f %s", value, metric.unit());
        };
    }

    private static String title(Slo slo, SloMetric metric) {
        return metric == SloMetric.LATENCY_MS ? slo.statistic() + " " + metric.title() : metric.title();
    }

    /** The newest event of the last step that changed a topology. */
    private static Optional<HengeEvent> lastAction(String topologyName, List<HengeEvent> log) {
        Pattern change = Pattern.compile("(?<![\\w-])" + Pattern.quote(topologyName) + " (gets|uses) ");
        Set<Long> steps = new HashSet<>();
        Optional<HengeEvent> last = Optional.empty();
        for (HengeEvent event : log) {
            if (event.kind() == HengeEvent.Kind.PLANNED && change.matcher(event.text()).find()) {
                steps.add(event.step());
            }
            if (event.step() > 0 && steps.contains(event.step())) {
                last = Optional.of(event);
            }
        }
        return last;
    }
}
