package io.eyewall.tail.command;

import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.MeasuringPoint;
import java.util.Comparator;

/**
 * The key of a row of the table: a hop of all tasks of a component together.
 *
 * @param point what is measured
 * @param from the component that the tuples come from, with their stream if it is not the default one, or a worker; empty for any
 * @param to the component or worker that they go to; empty for any
 * @param betweenWorkers whether the row is about messages from worker to worker, of all components
 */
record HopRow(MeasuringPoint point, String from, String to, boolean betweenWorkers) {

    private static final String DEFAULT_STREAM = ":default";

    /** The row that a key belongs to. */
    static HopRow of(HopKey key) {
        String source = key.source().endsWith(DEFAULT_STREAM)
            ? key.source().substring(0, key.source().length() - DEFAULT_STREAM.length())
            : key.source();
        return switch (key.point()) {
            case SERIALIZE, DESERIALIZE, COMPLETE -> new HopRow(key.point(), source, "", false);
            case TO_STREAM_MANAGER, BETWEEN_STREAM_MANAGERS, NETWORK, IN_STREAM_MANAGER -> new HopRow(key.point(), source, "", true);
            default -> key.taskId() < 0
                ? new HopRow(key.point(), "", source, true)
                : new HopRow(key.point(), source, key.component(), false);
        };
    }

    /** The order in which tuples pass. */
    static Comparator<HopRow> order(ComponentPlan plan) {
        return Comparator.comparing((HopRow row) -> !row.point.isHop())
            .thenComparing(HopRow::betweenWorkers)
            .thenComparing(row -> row.point.isHop() && !row.betweenWorkers ? MeasuringPoint.OVERFLOW : row.point)
            .thenComparing(row -> plan.depth(row.fromComponent()))
            .thenComparing(HopRow::from)
            .thenComparing(row -> row.to.isEmpty() ? 0 : plan.depth(row.to))
            .thenComparing(HopRow::to)
            .thenComparing(HopRow::point);
    }

    /** The component that the tuples come from. */
    String fromComponent() {
        int colon = betweenWorkers ? -1 : from.indexOf(':');
        return colon < 0 ? from : from.substring(0, colon);
    }

    /** The component to which the time belongs: the last one that the row names. */
    String lastComponent() {
        return to.isEmpty() ? fromComponent() : to;
    }

    /** Whether the row is about a component. */
    boolean concerns(String component) {
        return !betweenWorkers && (fromComponent().equals(component) || to.equals(component));
    }

    /** Source and destination, in one cell. */
    String way() {
        return point == MeasuringPoint.COMPLETE ? from : (from + " -> " + to).strip();
    }
}
