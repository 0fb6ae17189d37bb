package io.eyewall.examples;

import io.eyewall.examples.configuration.ConfigurationException;
import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.operator.LineSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the finite input of a self-check.
 */
final class InputRecords {

    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{Nd}]+");

    private InputRecords() {
    }

    /**
     * How many records the spouts emit.
     *
     * @throws ConfigurationException if the number is not limited
     */
    static long count(ExampleConfiguration configuration) {
        long records = configuration.number(ExampleKeys.RECORDS);
        if (records == 0) {
            throw new ConfigurationException(ExampleKeys.RECORDS.name() + " is '0', but must be at least 1 for a self-check");
        }
        return records;
    }

    /**
     * Passes each line with its number to an action. After the last line of the file, continues with the first.
     */
    static void forEachLine(ExampleConfiguration configuration, ObjLongConsumer<String> action) throws IOException {
        long records = count(configuration);
        Path file = Path.of(configuration.text(ExampleKeys.INPUT).orElseThrow());
        long sequence = 0;
        while (sequence < records) {
            String[] lines;
            try (Stream<String> all = Files.lines(file)) {
                lines = all.filter(line -> !line.isBlank()).limit(records - sequence).toArray(String[]::new);
            }
            if (lines.length == 0) {
                throw new IOException(file + " has no line of text");
            }
            for (String line : lines) {
                action.accept(line, sequence++);
            }
        }
    }

    /**
     * Passes each line to an action as {@link LineSource} emits it, in the configured size.
     */
    static void forEachText(ExampleConfiguration configuration, ObjLongConsumer<String> action) throws IOException {
        int sizeChars = (int) configuration.number(ExampleKeys.PAYLOAD_BYTES);
        forEachLine(configuration, (line, sequence) -> action.accept(LineSource.resize(line, sizeChars), sequence));
    }

    /**
     * Passes each word of each line to an action. A word is a longest run of letters and digits.
     */
    static void forEachWord(ExampleConfiguration configuration, Consumer<String> action) throws IOException {
        forEachLine(configuration, (line, sequence) ->
            NO_WORD.splitAsStream(line).filter(word -> !word.isEmpty()).forEach(action));
    }

    /**
     * Adds 1 to the expected count of a text at a sink.
     */
    static void add(Map<String, Map<String, Long>> expected, String sink, String text) {
        expected.computeIfAbsent(sink, none -> new TreeMap<>()).merge(text, 1L, Long::sum);
    }
}
