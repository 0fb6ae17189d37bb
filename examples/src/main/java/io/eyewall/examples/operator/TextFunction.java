package io.eyewall.examples.operator;

import java.io.Serializable;

/**
 * What an operator makes of one text. Depends on its arguments only, so that a message that is processed again has the same outcome.
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
}
