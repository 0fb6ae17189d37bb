package io.eyewall.integration.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.connector.datagen.source.GeneratorFunction;

/**
 * The records of {@code word-count}: a word, its number and the due time. The words are those of the examples' source, read from the file
 * again and again. After a restore the reader runs ahead to the number that the source continues with.
 */
final class Words implements GeneratorFunction<Long, Tuple3<String, Long, Long>> {

    private final Pace pace;
    private final String input;
    private final Tuple3<String, Long, Long> message = Tuple3.of("", 0L, Pace.NOT_MEASURED);

    /** Null until the first word. */
    private transient BufferedReader reader;
    private transient String line;
    private transient int position;
    private transient long read;

    Words(Pace pace, String input) {
        this.pace = pace;
        this.input = input;
    }

    @Override
    public Tuple3<String, Long, Long> map(Long number) throws IOException {
        long dueNs = pace.awaitNext();
        do {
            message.f0 = nextWord();
            read++;
        } while (read <= number);
        message.f1 = number;
        message.f2 = dueNs;
        return message;
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
        }
    }

    private String nextWord() throws IOException {
        if (reader == null) {
            nextLine();
        }
        int start = skip(position, false);
        while (start == line.length()) {
            nextLine();
            start = skip(0, false);
        }
        position = skip(start, true);
        return line.substring(start, position);
    }

    private void nextLine() throws IOException {
        line = reader == null ? null : reader.readLine();
        while (line == null) {
            close();
            reader = Files.newBufferedReader(Path.of(input));
            line = reader.readLine();
        }
    }

    /** The index of the first character, from {@code from} on, that is not to be skipped. */
    private int skip(int from, boolean wordCharacters) {
        int index = from;
        while (index < line.length() && Character.isLetterOrDigit(line.charAt(index)) == wordCharacters) {
            index++;
        }
        return index;
    }
}
