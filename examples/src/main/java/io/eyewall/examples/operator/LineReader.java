package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The lines of a text file that belong to one of several readers, from the first to the last and then from the first again. Reader i of
 * n takes the lines i, i + n, i + 2n, …, counted on through the repetitions. Blank lines are left out and not counted.
 */
final class LineReader implements AutoCloseable {

    private final Path file;
    private final long limit;
    private final int readers;

    private BufferedReader reader;
    private boolean anyLine;
    private long nextOwn;
    private long nextLine;
    private long sequence = -1;

    /**
     * Opens the input of a configuration.
     *
     * @param index   of this reader, from 0
     * @param readers how many share the file
     * @throws IOException when the file cannot be opened
     */
    LineReader(ExampleConfiguration configuration, int index, int readers) throws IOException {
        String key = ExampleKeys.INPUT.name();
        file = Path.of(configuration.text(ExampleKeys.INPUT).orElseThrow(() -> new IOException(
            key + " is not set in the topology's configuration: submit with -c " + key + "=FILE")));
        long records = configuration.number(ExampleKeys.RECORDS);
        limit = records == 0 ? Long.MAX_VALUE : records;
        this.readers = readers;
        nextOwn = index;
        reader = Files.newBufferedReader(file, StandardCharsets.UTF_8);
    }

    /**
     * The next line of this reader, or null when the number of records is reached.
     *
     * @throws IOException when the file cannot be read or has no line
     */
    String next() throws IOException {
        if (nextOwn >= limit) {
            return null;
        }
        String line = nextOfFile();
        while (nextLine - 1 < nextOwn) {
            line = nextOfFile();
        }
        sequence = nextOwn;
        nextOwn += readers;
        return line;
    }

    /**
     * The number, from 0, of the line that {@link #next} returned last.
     */
    long sequence() {
        return sequence;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    private String nextOfFile() throws IOException {
        while (true) {
            String line = reader.readLine();
            if (line == null) {
                if (!anyLine) {
                    throw new IOException(file + " has no line of text: give another file with " + ExampleKeys.INPUT.name());
                }
                reader.close();
                reader = Files.newBufferedReader(file, StandardCharsets.UTF_8);
            } else if (!line.isBlank()) {
                anyLine = true;
                nextLine++;
                return line;
            }
        }
    }
}
