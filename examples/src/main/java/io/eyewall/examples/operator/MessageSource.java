package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import org.apache.storm.tuple.Fields;

/**
 * What a spout's tasks emit. A source is a fixed sequence of records that the tasks share out: task i of n takes the records i, i + n,
 * i + 2n, … and always in that order, so that a task that is started again emits the same messages again. Used by one thread.
 */
public interface MessageSource extends Serializable {

    /** The last field of every message. */
    String DUE_NS = "dueNs";
    /** In the place of a due time: nobody measures this message's latency. */
    long NOT_MEASURED = 0;

    /**
     * The fields of a message, of which {@link #DUE_NS} is the last.
     */
    Fields fields();

    /**
     * Goes before the first record of one task.
     *
     * @param configuration holds the input, the number of records and whatever else the source needs
     * @param taskIndex     from 0
     * @param taskCount     tasks that share the source
     * @throws IOException when the input cannot be read; the message names it
     */
    void open(ExampleConfiguration configuration, int taskIndex, int taskCount) throws IOException;

    /**
     * The next message, ready to emit, or null when there is none any more.
     *
     * @param dueNs when it was due, its last value, or {@link #NOT_MEASURED}
     */
    List<Object> next(long dueNs) throws IOException;

    /**
     * Lets go of the input.
     */
    void close() throws IOException;
}
