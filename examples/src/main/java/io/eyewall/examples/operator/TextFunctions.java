package io.eyewall.examples.operator;

/**
 * The functions that several topologies share.
 */
public final class TextFunctions {

    /** Passes everything on as it is. */
    public static final TextFunction PASS = (text, sequence, seed) -> text;

    /** Keeps four messages in five, chosen by seed and sequence number. */
    public static final TextFunction KEEP_FOUR_FIFTHS = (text, sequence, seed) -> isKept(sequence, seed) ? text : null;

    /** Keeps four messages in five as well, but chooses others. */
    public static final TextFunction KEEP_OTHER_FOUR_FIFTHS = (text, sequence, seed) -> isKept(sequence, ~seed) ? text : null;

    /** Rewrites the text: puts its first word last. */
    public static final TextFunction FIRST_WORD_LAST = (text, sequence, seed) -> {
        int space = text.indexOf(' ');
        return space < 0 ? text : text.substring(space + 1) + ' ' + text.substring(0, space);
    };

    private static final long FIFTH = 5;

    private TextFunctions() {
    }

    /**
     * Whether {@link #KEEP_FOUR_FIFTHS} keeps a message: it drops those whose hash 5 divides.
     */
    public static boolean isKept(long sequence, long seed) {
        return Long.remainderUnsigned(SeededHash.of(seed, sequence), FIFTH) != 0;
    }
}
