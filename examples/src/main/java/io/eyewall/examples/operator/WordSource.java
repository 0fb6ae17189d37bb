package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import java.io.IOException;
import java.util.List;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Emits the words of the input, one per message: {@code text, sequence, dueNs}. A word is a longest run of letters and digits. The tasks
 * share whole lines. Task i of n gives its words the numbers i, i + n, i + 2n, …
 */
public final class WordSource implements MessageSource {

    private transient LineReader lines;
    private transient String line;
    private transient int position;
    private transient int taskCount;
    private transient long sequence;

    @Override
    public Fields fields() {
        return LineSource.TEXT_FIELDS;
    }

    @Override
    public void open(ExampleConfiguration configuration, int taskIndex, int tasks) throws IOException {
        lines = new LineReader(configuration, taskIndex, tasks);
        taskCount = tasks;
        sequence = taskIndex - (long) tasks;
        line = "";
        position = 0;
    }

    @Override
    public List<Object> next(long dueNs) throws IOException {
        int start = skip(position, false);
        while (start == line.length()) {
            line = lines.next();
            if (line == null) {
                line = "";
                position = 0;
                return null;
            }
            start = skip(0, false);
        }
        position = skip(start, true);
        sequence += taskCount;
        return new Values(line.substring(start, position), sequence, dueNs);
    }

    @Override
    public void close() throws IOException {
        lines.close();
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
