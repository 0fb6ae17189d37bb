package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import java.io.IOException;
import java.util.List;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * The words of the input's lines, one message each: {@code text, sequence, dueNs}. A word is a longest run of letters and digits, as it is
 * written. Tasks share out whole lines; task i of n numbers its words i, i + n, i + 2n, …
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

    /** The first index from {@code from} on whose character is not of the kind to skip. */
    private int skip(int from, boolean wordCharacters) {
        int index = from;
        while (index < line.length() && Character.isLetterOrDigit(line.charAt(index)) == wordCharacters) {
            index++;
        }
        return index;
    }
}
