package io.eyewall.core.watch;

import java.nio.BufferUnderflowException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * How long the hops of a topology's tuples take: the sum over its tasks and workers, from what workers have recorded since they started.
 * For one thread.
 */
public final class HopLatencies {

    /** The page that has what is added here. */
    public static final String PAGE = "/latency";

    private static final String FORMAT = "eyewall-latency 1 ";
    private static final int COLUMNS = 4;
    private static final int TAG_PARTS = 4;

    private final SortedMap<Hop, Histogram> histograms = new TreeMap<>();

    /**
     * A part of the way of tuples, or several parts together.
     *
     * @param point what is measured, as latency recording names it
     * @param from the component that the tuples come from; empty for the way between workers, and if it is any
     * @param stream the stream of that component; empty if there is none
     * @param to the component that measures; empty for the way between workers
     */
    public record Hop(String point, String from, String stream, String to) implements Comparable<Hop> {

        /** That of a tag, {@code point/component/task/source}. */
        static Hop of(String tag) {
            String[] parts = tag.split("/", -1);
            if (parts.length != TAG_PARTS) {
                throw new IllegalArgumentException("it returned a hop that cannot be read: " + tag);
            }
            int colon = parts[3].lastIndexOf(':');
            return parts[2].startsWith("-") || colon < 0 ? new Hop(parts[0], "", "", "")
                : new Hop(parts[0], parts[3].substring(0, colon), parts[3].substring(colon + 1), parts[1]);
        }

        @Override
        public int compareTo(Hop other) {
            return key().compareTo(other.key());
        }

        private String key() {
            return String.join("\0", from, stream, to, point);
        }
    }

    /**
     * Reads a worker's page: the line {@code eyewall-latency 1 <topologyId> <epochMs>}, then for each hop its tag, error bound, number of
     * dropped values and compressed histogram in base 64, separated by tabs.
     *
     * @return the histograms as they came, by tag
     * @throws IllegalArgumentException the message says what is wrong
     */
    public static Map<String, String> parse(String page, String topologyId) {
        Map<String, String> found = new HashMap<>();
        String[] lines = page.split("\n", -1);
        if (!lines[0].startsWith(FORMAT + topologyId + " ")) {
            throw new IllegalArgumentException("it returned something other than latencies; it may be of another version of Eyewall, or of"
                + " another topology");
        }
        for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
            String[] columns = lines[i].split("\t", -1);
            if (columns.length != COLUMNS) {
                throw new IllegalArgumentException("it returned a line that cannot be read: " + lines[i]);
            }
            found.put(columns[0], columns[COLUMNS - 1]);
        }
        return found;
    }

    /**
     * Adds what a worker recorded between two of its pages.
     *
     * @param before empty for all that it recorded
     * @throws IllegalArgumentException the message says what is wrong
     */
    public void add(Map<String, String> before, Map<String, String> now) {
        now.forEach((tag, text) -> {
            try {
                Histogram step = MessageLatencies.decoded(text);
                String earlier = before.get(tag);
                if (earlier != null) {
                    Histogram then = MessageLatencies.decoded(earlier);
                    // A worker that has started again has fewer.
                    if (then.getTotalCount() <= step.getTotalCount()) {
                        step.subtract(then);
                    }
                }
                histograms.merge(Hop.of(tag), step, MessageLatencies::sum);
            } catch (DataFormatException | BufferUnderflowException | IndexOutOfBoundsException | IllegalStateException e) {
                throw new IllegalArgumentException("it returned a histogram that cannot be read", e);
            }
        });
    }

    /** The values in nanoseconds, by hop. */
    public SortedMap<Hop, Histogram> histograms() {
        return histograms;
    }
}
