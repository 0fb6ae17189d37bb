package io.eyewall.examples.operator;

/**
 * The functions that several topologies share.
 */
public final class TextFunctions {

    /** Returns the text unchanged. */
    public static final TextFunction PASS = (text, sequence, seed) -> text;

    /** Keeps four messages in five, by seed and sequence number. */
    public static final TextFunction KEEP_FOUR_FIFTHS = (text, sequence, seed) -> isKept(sequence, seed) ? text : null;

    /** Keeps another four messages in five. */
    public static final TextFunction KEEP_OTHER_FOUR_FIFTHS = (text, sequence, seed) -> isKept(sequence, ~seed) ? text : null;

    /** Moves the first word of the text to its end. */
    public static final TextFunction FIRST_WORD_LAST = (text, sequence, seed) -> {
        int space = text.indexOf(' ');
        return space < 0 ? text : text.substring(space + 1) + ' ' + text.substring(0, space);
    };

    private static final long FIFTH = 5;

    private TextFunctions() {
    }

    /**
     * Whether {@link #KEEP_FOUR_FIFTHS} keeps a message. It drops a message whose hash is divisible by 5.
     */
    public static boolean isKept(long sequence, long seed) {
        return Long.remainderUnsigned(SeededHash.of(seed, sequence), FIFTH) != 0;
    }
}
