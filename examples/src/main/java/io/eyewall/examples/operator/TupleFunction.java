package io.eyewall.examples.operator;

import java.io.Serializable;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * The function of an operator. Each task calls its own copy from its own thread, so that a function may keep state. The results of most
 * functions depend on their arguments only, so that a message that is processed again has the same result.
 */
@FunctionalInterface
public interface TupleFunction extends Serializable {

    /**
     * Returns the values to emit, or null to drop the message.
     *
     * @param tuple the received tuple
     * @param seed  the topology's seed
     * @throws MalformedRecordException if the tuple cannot be parsed
     */
    Values apply(Tuple tuple, long seed) throws MalformedRecordException;
}
