package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import org.apache.storm.tuple.Fields;

/**
 * The messages that a spout's tasks emit. A source is a fixed sequence of records, which the tasks share: task i of n emits the records i,
 * i + n, i + 2n, … in this order, so that a task that is restarted emits the same messages again. For one thread.
 */
public interface MessageSource extends Serializable {

    /** The last field of every message. */
    String DUE_NS = "dueNs";
    /** Instead of a due time: the latency of this message is not measured. */
    long NOT_MEASURED = 0;

    /**
     * The fields of a message. {@link #DUE_NS} is the last.
     */
    Fields fields();

    /**
     * Opens the source at the first record of one task.
     *
     * @param configuration names the input, the number of records and what else the source needs
     * @param taskIndex     from 0
     * @param taskCount     how many tasks share the source
     * @throws IOException if the input cannot be read; the message names it
     */
    void open(ExampleConfiguration configuration, int taskIndex, int taskCount) throws IOException;

    /**
     * The next message, or null after the last one.
     *
     * @param dueNs when the message was due, or {@link #NOT_MEASURED}; becomes its last value
     */
    List<Object> next(long dueNs) throws IOException;

    /**
     * Closes the input.
     */
    void close() throws IOException;
}
