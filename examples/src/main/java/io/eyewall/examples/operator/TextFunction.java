package io.eyewall.examples.operator;

import java.io.Serializable;
import org.apache.storm.tuple.Values;

/**
 * What an operator on a stream of text makes of one text. Depends on its arguments only, so that a message
 * that is processed again has the same outcome.
 */
@FunctionalInterface
public interface TextFunction extends Serializable {

    /**
     * The text to pass on, or null to drop the message.
     *
     * @param text     as received
     * @param sequence the message's number
     * @param seed     the topology's seed
     */
    String apply(String text, long sequence, long seed);

    /**
     * The same on tuples {@code text, sequence, dueNs}.
     */
    default TupleFunction onTuples() {
        return (tuple, seed) -> {
            Long sequence = tuple.getLong(LineSource.SEQUENCE);
            String text = apply(tuple.getString(LineSource.TEXT), sequence, seed);
            return text == null ? null : new Values(text, sequence, tuple.getValue(LineSource.TEXT_DUE_NS));
        };
    }
}
