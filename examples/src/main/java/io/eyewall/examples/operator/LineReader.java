package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the lines of a text file that belong to one of several readers. After the last line it continues with the first. Reader i of n
 * reads the lines i, i + n, i + 2n, …, where the numbers continue from one pass over the file to the next. Blank lines are skipped and have
 * no number.
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
     * @param index   the index of this reader, from 0
     * @param readers how many readers share the file
     * @throws IOException if the file cannot be opened
     */
    LineReader(ExampleConfiguration configuration, int index, int readers) throws IOException {
        String key = ExampleKeys.INPUT.name();
        file = Path.of(configuration.text(ExampleKeys.INPUT).orElseThrow(() -> new IOException(
            key + " is not set in the topology's configuration: submit the topology with -c " + key + "=FILE")));
        long records = configuration.number(ExampleKeys.RECORDS);
        limit = records == 0 ? Long.MAX_VALUE : records;
        this.readers = readers;
        nextOwn = index;
        reader = Files.newBufferedReader(file, StandardCharsets.UTF_8);
    }

    /**
     * The next line of this reader, or null after the configured number of records.
     *
     * @throws IOException if the file cannot be read or has no line
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
     * The number of the line that {@link #next} returned last, from 0.
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
                    throw new IOException(file + " has no line of text: set another file with " + ExampleKeys.INPUT.name());
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
