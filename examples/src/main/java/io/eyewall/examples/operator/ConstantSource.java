package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.util.List;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Emits the same text in every message. All messages share it, so that this source costs as little as possible.
 */
public final class ConstantSource implements MessageSource {

    private static final int DEFAULT_BYTES = 10;

    private transient String payload;
    private transient long left;

    /**
     * The text of all messages.
     */
    public static String payload(ExampleConfiguration configuration) {
        int sizeBytes = (int) configuration.number(ExampleKeys.PAYLOAD_BYTES);
        return "x".repeat(sizeBytes == 0 ? DEFAULT_BYTES : sizeBytes);
    }

    @Override
    public Fields fields() {
        return new Fields("payload", DUE_NS);
    }

    @Override
    public void open(ExampleConfiguration configuration, int taskIndex, int taskCount) {
        payload = payload(configuration);
        left = share(configuration.number(ExampleKeys.RECORDS), taskIndex, taskCount);
    }

    @Override
    public List<Object> next(long dueNs) {
        if (left == 0) {
            return null;
        }
        left--;
        return new Values(payload, dueNs);
    }

    @Override
    public void close() {
    }

    /** How many of the records 0 to records - 1 belong to one task. Without a limit, more than a task can emit. */
    private static long share(long records, int taskIndex, int taskCount) {
        return records == 0 ? Long.MAX_VALUE : (records - taskIndex + taskCount - 1) / taskCount;
    }
}
