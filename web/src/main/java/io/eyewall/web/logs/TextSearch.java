package io.eyewall.web.logs;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Searches a text for a string, which is not empty and shorter than 60 KB, bytewise and in memory of a fixed size. Offsets are bytes from
 * the beginning of the text.
 *
 * @param wanted the string
 * @param most how many matches are enough
 * @param over asked now and then; the search ends early when it says true
 */
record TextSearch(String wanted, int most, BooleanSupplier over) {

    private static final int BUFFER_BYTES = 1 << 16;
    /** How much of the text is shown on either side of a match. */
    private static final int CONTEXT_BYTES = 128;

    /**
     * One match.
     *
     * @param offset of its first byte
     * @param before what stands before it
     * @param after what stands behind it
     */
    record Match(long offset, String before, String after) {
    }

    /**
     * What was found.
     *
     * @param next where to go on; -1 if the whole text was searched
     */
    record Found(List<Match> matches, long next) {
    }

    /** Searches a text from an offset on; there is nothing behind its end. */
    Found in(InputStream text, long start) throws IOException {
        byte[] needle = wanted.getBytes(StandardCharsets.UTF_8);
        List<Match> matches = new ArrayList<>();
        long base = Math.max(0, start - CONTEXT_BYTES);
        if (!skip(text, base, over)) {
            return over.getAsBoolean() ? new Found(matches, start) : new Found(matches, -1);
        }
        byte[] buffer = new byte[BUFFER_BYTES];
        int filled = 0;
        int from = (int) (start - base);
        while (!over.getAsBoolean()) {
            filled += text.readNBytes(buffer, filled, buffer.length - filled);
            boolean ended = filled < buffer.length;
            // What stands behind a match must be in the buffer as well, unless the text ends.
            int last = filled - needle.length - (ended ? 0 : CONTEXT_BYTES);
            while (from <= last) {
                if (buffer[from] == needle[0] && Arrays.equals(buffer, from, from + needle.length, needle, 0, needle.length)) {
                    int end = from + needle.length;
                    matches.add(new Match(base + from, text(buffer, Math.max(0, from - CONTEXT_BYTES), from),
                        text(buffer, end, Math.min(filled, end + CONTEXT_BYTES))));
                    from = end;
                    if (matches.size() == most) {
                        return new Found(matches, base + from);
                    }
                } else {
                    from++;
                }
            }
            if (ended) {
                return new Found(matches, -1);
            }
            int kept = from - CONTEXT_BYTES;
            System.arraycopy(buffer, kept, buffer, 0, filled - kept);
            base += kept;
            filled -= kept;
            from = CONTEXT_BYTES;
        }
        return new Found(matches, base + from);
    }

    private static String text(byte[] buffer, int from, int to) {
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /** Skips bytes; returns whether there were so many, and time to skip them. */
    static boolean skip(InputStream text, long bytes, BooleanSupplier over) throws IOException {
        long left = bytes;
        while (left > 0 && !over.getAsBoolean()) {
            long step = Math.min(left, BUFFER_BYTES);
            try {
                text.skipNBytes(step);
            } catch (EOFException e) {
                return false;
            }
            left -= step;
        }
        return left == 0;
    }
}
