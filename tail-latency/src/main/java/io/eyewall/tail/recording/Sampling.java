package io.eyewall.tail.recording;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The share of a spout's messages that are recorded, each with its whole tree of tuples.
 *
 * @param every one in this many messages; 0 for none
 */
public record Sampling(int every) {

    /** Records nothing. */
    public static final Sampling OFF = new Sampling(0);
    /** Records every message. */
    public static final Sampling ALL = new Sampling(1);

    private static final Pattern SAMPLED = Pattern.compile("sampled:1/([1-9]\\d{0,8})");

    /**
     * Reads {@code off}, {@code all} or {@code sampled:1/N} with N from 1 to 999,999,999. A plain {@code off} in a YAML file arrives here
     * as {@code false}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Sampling parse(Object text) {
        if ("off".equals(text) || Boolean.FALSE.equals(text)) {
            return OFF;
        }
        if ("all".equals(text)) {
            return ALL;
        }
        Matcher matcher = SAMPLED.matcher(String.valueOf(text));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not off, all, or sampled:1/N with N from 1 to 999999999.");
        }
        return new Sampling(Integer.parseInt(matcher.group(1)));
    }

    /** Whether nothing is recorded. */
    public boolean isOff() {
        return every == 0;
    }
}
