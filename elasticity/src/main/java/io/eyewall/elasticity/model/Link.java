package io.eyewall.elasticity.model;

import java.util.Comparator;

/**
 * A subscription: the component {@code to} receives the stream {@code stream} of the component {@code from}.
 *
 * @param from the id of the component that emits
 * @param stream the id of the stream
 * @param to the id of the component that subscribes
 * @param copies how many tuples the subscriber receives for each one that is emitted: its number of tasks with an all grouping, else 1
 */
public record Link(String from, String stream, String to, int copies) implements Comparable<Link> {

    private static final Comparator<Link> ORDER = Comparator.comparing(Link::from)
        .thenComparing(Link::stream)
        .thenComparing(Link::to)
        .thenComparingInt(Link::copies);

    /** Checks that there is at least one copy. */
    public Link {
        if (copies < 1) {
            throw new IllegalArgumentException("Link " + from + " -> " + to + " on stream " + stream + ": " + copies
                + " copies, at least 1 needed");
        }
    }

    @Override
    public int compareTo(Link other) {
        return ORDER.compare(this, other);
    }
}
