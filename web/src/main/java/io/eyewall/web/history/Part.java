package io.eyewall.web.history;

/**
 * What a series is about: a component, a worker, or the whole topology if both are null.
 *
 * @param component its id
 * @param worker HOST:PORT
 */
public record Part(String component, String worker) {

    /** The whole topology. */
    public static final Part WHOLE = new Part(null, null);

    /** Whether the topology has it; a worker that has not been heard of at this time may have been before. */
    boolean isIn(Sample sample) {
        return component == null || sample.components().containsKey(component);
    }

    boolean isWhole() {
        return component == null && worker == null;
    }
}
