package io.eyewall.elasticity.model;

import java.util.Comparator;

/**
 * A subscription: the stream {@code stream} of the component {@code from} goes to the component {@code to}.
 *
 * @param from the emitting component
 * @param stream the stream
 * @param to the subscriber
 * @param copies how many tuples the subscriber gets for one that is emitted: 1, or the number of its tasks with an all grouping
 */
public record Link(String from, String stream, String to, int copies) implements Comparable<Link> {

    private static final Comparator<Link> ORDER = Comparator.comparing(Link::from)
        .thenComparing(Link::stream)
        .thenComparing(Link::to)
        .thenComparingInt(Link::copies);

    /** Checks the number of copies. */
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
