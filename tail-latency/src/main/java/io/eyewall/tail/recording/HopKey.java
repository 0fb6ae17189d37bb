package io.eyewall.tail.recording;

import java.util.regex.Pattern;

/**
 * The key of a histogram: the hop that it measures.
 *
 * @param point what is measured
 * @param component the component that measures
 * @param taskId its task; -1 if a worker and not a task measures
 * @param source where the tuple comes from or goes to: {@code component:stream}, or {@code host:port} of the other worker
 *     for messages that wait to be sent to it and for {@link MeasuringPoint#NETWORK}
 */
public record HopKey(MeasuringPoint point, String component, int taskId, String source) {

    /** The component of hops that a worker and not one of its tasks measures. */
    static final String WORKER = "__worker";
    /** The task of hops that a worker measures. */
    static final int NO_TASK = -1;

    private static final Pattern TASK = Pattern.compile("-?\\d{1,9}");

    /** The key of a hop that a worker and not a task measures. */
    static HopKey ofWorker(MeasuringPoint point, String source) {
        return new HopKey(point, WORKER, NO_TASK, source);
    }

    /** The source for a stream. */
    static String source(String component, String streamId) {
        return component + ':' + streamId;
    }

    /** The key in one word, as the tag in interval logs: {@code point/component/task/source}. */
    public String tag() {
        return point.label() + '/' + inTag(component) + '/' + taskId + '/' + inTag(source);
    }

    /**
     * The key of a tag.
     *
     * @throws IllegalArgumentException if the tag was not made by {@link #tag()}
     */
    public static HopKey ofTag(String tag) {
        String[] parts = tag.split("/", -1);
        if (parts.length != 4 || !TASK.matcher(parts[2]).matches()) {
            throw new IllegalArgumentException("The tag '" + tag + "' is not of the form point/component/task/source.");
        }
        return new HopKey(MeasuringPoint.ofLabel(parts[0]), parts[1], Integer.parseInt(parts[2]), parts[3]);
    }

    /** A name as it is in tags and in what is made of them: in interval logs a comma or a blank ends a tag. */
    public static String inTag(String name) {
        return name.replaceAll("[\\s,/]", "_");
    }
}
