package io.eyewall.integration.bench;

import io.eyewall.core.report.MeasureDirectory;

/**
 * Which latency of a scenario the tables show.
 */
enum LatencyKind {

    /** The latency of every tuple that reaches a sink. */
    PROCESSED(MeasureDirectory.END_TO_END, "due to processed"),
    /** The latency of every message, whatever the number of its instances: the first complete one counts. */
    ACKED(MeasureDirectory.COMPLETE, "due to acked");

    private final String tag;
    private final String title;

    LatencyKind(String tag, String title) {
        this.tag = tag;
        this.title = title;
    }

    /** The tag of its intervals. */
    String tag() {
        return tag;
    }

    String title() {
        return title;
    }
}
