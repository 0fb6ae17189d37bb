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
     * Whether {@link #KEEP_FOUR_FIFTHS} keeps a message. Mixes seed and number by the finalizer of SplitMix64 (G. Steele, D. Lea,
     * C. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014) and drops every hash that 5 divides; with seed 1, of the
     * messages 0 to 9 it drops those that {@code TextFunctionsTest} lists.
     */
    public static boolean isKept(long sequence, long seed) {
        long mixed = seed + sequence * 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        mixed ^= mixed >>> 31;
        return Long.remainderUnsigned(mixed, FIFTH) != 0;
    }
}
