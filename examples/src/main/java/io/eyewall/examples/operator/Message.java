package io.eyewall.examples.operator;

import java.util.List;

/**
 * A message that a spout emitted, and its own message id: Storm hands it back when the message was processed or failed, so that the
 * spout keeps no table of what is under way.
 *
 * @param values as emitted
 * @param dueNs  when it was due for the first time
 */
record Message(List<Object> values, long dueNs) {
}
