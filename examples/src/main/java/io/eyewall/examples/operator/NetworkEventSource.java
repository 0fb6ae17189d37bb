package io.eyewall.examples.operator;

import com.google.gson.stream.JsonWriter;
import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Emits the lines of the input as events of a monitored network, each as a JSON object: {@code id} (the monitored source: a hash of the
 * line's first column), {@code count} (the line's number), {@code time} (its second column, or empty), {@code sentence} (its last column)
 * and {@code tag} ({@code Success}, or {@code Fail} for one event in five, which depends on seed and number). Tabs separate the columns.
 */
public final class NetworkEventSource implements MessageSource {

    public static final String SUCCESS = "Success";
    public static final String FAIL = "Fail";

    private static final int SOURCES = 100;

    private transient LineReader lines;
    private transient long seed;

    @Override
    public Fields fields() {
        return new Fields("json", DUE_NS);
    }

    @Override
    public void open(ExampleConfiguration configuration, int taskIndex, int taskCount) throws IOException {
        lines = new LineReader(configuration, taskIndex, taskCount);
        seed = configuration.number(ExampleKeys.SEED);
    }

    @Override
    public List<Object> next(long dueNs) throws IOException {
        String line = lines.next();
        return line == null ? null : new Values(json(line, lines.sequence(), seed), dueNs);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /**
     * The event of one line.
     */
    static String json(String line, long sequence, long seed) throws IOException {
        String[] columns = line.split("\t", -1);
        StringWriter text = new StringWriter(line.length() + 100);
        try (JsonWriter json = new JsonWriter(text)) {
            json.beginObject();
            json.name("id").value(Math.floorMod(columns[0].hashCode(), SOURCES));
            json.name("count").value(sequence);
            json.name("time").value(columns.length > 1 ? columns[1] : "");
            json.name("sentence").value(columns[columns.length - 1]);
            json.name("tag").value(isSuccess(sequence, seed) ? SUCCESS : FAIL);
            json.endObject();
        }
        return text.toString();
    }

    /**
     * Whether the event of a line is tagged {@link #SUCCESS}.
     */
    public static boolean isSuccess(long sequence, long seed) {
        return TextFunctions.isKept(sequence, Long.reverse(seed));
    }
}
