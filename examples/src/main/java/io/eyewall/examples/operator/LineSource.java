package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.io.IOException;
import java.util.List;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Emits the lines of the input: {@code text, sequence, dueNs}. With a payload size, each line is cut or repeated to that number of
 * characters.
 */
public final class LineSource implements MessageSource {

    /** The fields of every stream of text. */
    public static final Fields TEXT_FIELDS = new Fields("text", "sequence", DUE_NS);

    static final int TEXT = 0;
    static final int SEQUENCE = 1;
    static final int TEXT_DUE_NS = 2;

    private transient LineReader lines;
    private transient int sizeChars;

    @Override
    public Fields fields() {
        return TEXT_FIELDS;
    }

    @Override
    public void open(ExampleConfiguration configuration, int taskIndex, int taskCount) throws IOException {
        lines = new LineReader(configuration, taskIndex, taskCount);
        sizeChars = (int) configuration.number(ExampleKeys.PAYLOAD_BYTES);
    }

    @Override
    public List<Object> next(long dueNs) throws IOException {
        String line = lines.next();
        return line == null ? null : new Values(resize(line, sizeChars), lines.sequence(), dueNs);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /**
     * Cuts or repeats a line to a number of characters; 0 leaves it unchanged.
     */
    public static String resize(String line, int sizeChars) {
        if (sizeChars == 0 || line.length() == sizeChars) {
            return line;
        }
        String longEnough = line.length() > sizeChars ? line : line.repeat(sizeChars / line.length() + 1);
        return longEnough.substring(0, sizeChars);
    }
}
