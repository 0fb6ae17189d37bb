package io.eyewall.examples.operator;

import java.io.Serializable;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * What an operator makes of one tuple. Each task has its own copy, which it calls from its own thread, so that a function may keep state;
 * most depend on their arguments only, so that a message that is processed again has the same outcome.
 */
@FunctionalInterface
public interface TupleFunction extends Serializable {

    /**
     * The values to pass on, or null to drop the message.
     *
     * @param tuple as received
     * @param seed  the topology's seed
     * @throws MalformedRecordException when the tuple cannot be understood
     */
    Values apply(Tuple tuple, long seed) throws MalformedRecordException;
}
