package io.eyewall.examples.operator;

import java.io.Serializable;
import org.apache.storm.tuple.Values;

/**
 * The function of an operator on a stream of text. Its result depends on its arguments only, so that a message that is processed again has
 * the same result.
 */
@FunctionalInterface
public interface TextFunction extends Serializable {

    /**
     * Returns the text to emit, or null to drop the message.
     *
     * @param text     the received text
     * @param sequence the number of the message
     * @param seed     the topology's seed
     */
    String apply(String text, long sequence, long seed);

    /**
     * This function on tuples {@code text, sequence, dueNs}.
     */
    default TupleFunction onTuples() {
        return (tuple, seed) -> {
            Long sequence = tuple.getLong(LineSource.SEQUENCE);
            String text = apply(tuple.getString(LineSource.TEXT), sequence, seed);
            return text == null ? null : new Values(text, sequence, tuple.getValue(LineSource.TEXT_DUE_NS));
        };
    }
}
