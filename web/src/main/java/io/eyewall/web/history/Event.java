package io.eyewall.web.history;

/**
 * Something that happened to a topology.
 *
 * @param kind {@code change} of its status, workers or executors, {@code error}, {@code restart} of a worker, {@code scaling} or
 *     {@code slo}
 * @param text for people, in one line
 */
public record Event(String kind, String text) {

    static final String CHANGE = "change";
    static final String ERROR = "error";
    static final String RESTART = "restart";
    static final String SCALING = "scaling";
    static final String SLO = "slo";

    private static final int MAX_CHARS = 300;

    /** Of a text that may have any length and several lines. */
    static Event of(String kind, String text) {
        String line = text.strip().lines().findFirst().orElse("");
        return new Event(kind, line.length() > MAX_CHARS ? line.substring(0, MAX_CHARS) + "…" : line);
    }
}
