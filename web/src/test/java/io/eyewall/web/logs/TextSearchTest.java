package io.eyewall.web.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TextSearchTest {

    @Test
    void shouldFindWhatStringsFindInTextsLongerThanTheBuffer() throws IOException {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(300_000);
            while (text.length() < length) {
                text.append("ab".charAt(random.nextInt(40) == 0 ? 1 : 0));
            }
            String wanted = random.nextBoolean() ? "b" + "a".repeat(random.nextInt(200)) + "b" : "bab";
            int start = length == 0 ? 0 : random.nextInt(length);
            List<Long> expected = new ArrayList<>();
            for (int at = text.indexOf(wanted, start); at >= 0; at = text.indexOf(wanted, at + wanted.length())) {
                expected.add((long) at);
            }
            TextSearch.Found found = search(wanted, Integer.MAX_VALUE, text.toString(), start);
            assertEquals(expected, found.matches().stream().map(TextSearch.Match::offset).toList(), "seed " + seed);
            assertEquals(-1, found.next());
            for (TextSearch.Match match : found.matches()) {
                int at = (int) match.offset();
                int end = at + wanted.length();
                assertEquals(text.substring(Math.max(0, at - 128), at), match.before(), "seed " + seed);
                assertEquals(text.substring(end, Math.min(text.length(), end + 128)), match.after(), "seed " + seed);
            }
        }
    }

    @Test
    void shouldGoOnWhereItEnded() throws IOException {
        String text = "needle hay ".repeat(20_000);
        List<Long> offsets = new ArrayList<>();
        long next = 0;
        while (next >= 0) {
            TextSearch.Found found = search("needle", 7, text, next);
            found.matches().forEach(match -> offsets.add(match.offset()));
            next = found.next();
        }
        assertEquals(20_000, offsets.size());
        assertEquals(11L * 19_999, offsets.get(19_999));
    }

    @Test
    void shouldEndInTime() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        TextSearch search = new TextSearch("x", 10, () -> asked.incrementAndGet() > 5);
        TextSearch.Found found = search.in(new Endless(), 0);
        assertEquals(List.of(), found.matches());
        assertEquals(6, asked.get());
        assertEquals(new TextSearch.Found(List.of(), 1L << 40), search.in(new Endless(), 1L << 40));
    }

    @Test
    void shouldFindNothingBehindTheEnd() throws IOException {
        assertEquals(new TextSearch.Found(List.of(), -1), search("a", 10, "aaa", 3));
        assertEquals(new TextSearch.Found(List.of(), -1), search("a", 10, "aaa", 10_000));
        assertEquals(new TextSearch.Found(List.of(), -1), search("aaaa", 10, "aaa", 0));
    }

    private static TextSearch.Found search(String wanted, int most, String text, long start) throws IOException {
        return new TextSearch(wanted, most, () -> false).in(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), start);
    }

    /** A log to which more is always added. */
    private static final class Endless extends InputStream {

        @Override
        public int read() {
            return 'a';
        }

        @Override
        public int read(byte[] buffer, int from, int length) {
            Arrays.fill(buffer, from, from + length, (byte) 'a');
            return length;
        }
    }
}
