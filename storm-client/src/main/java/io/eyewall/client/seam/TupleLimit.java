package io.eyewall.client.seam;

import org.apache.storm.tuple.Tuple;

/**
 * How long a tuple may be that goes to another worker, and what to do about a longer one.
 *
 * @param bytes the longest tuple, in bytes, in a frame or in a message of its own
 * @param carrier what carries no longer one: the subject of a sentence
 * @param remedy what lets a longer one pass, besides a smaller tuple: the end of a sentence
 */
public record TupleLimit(int bytes, String carrier, String remedy) {

    /** No limit. */
    public static final TupleLimit NONE = new TupleLimit(Integer.MAX_VALUE, "", "");

    /**
     * Refuses a tuple that is too long.
     *
     * @throws IllegalArgumentException names the component that emits it, its size, and what to do
     */
    public void require(int task, Tuple tuple, int tupleBytes) {
        if (tupleBytes > bytes) {
            throw new IllegalArgumentException("A tuple of component " + tuple.getSourceComponent() + " (task " + tuple.getSourceTask()
                + ", stream " + tuple.getSourceStreamId() + ") for task " + task + " takes " + tupleBytes + " bytes, and " + carrier
                + " carries at most " + bytes + ". Emit it in parts, emit where its content is stored in place of the content, or "
                + remedy + ".");
        }
    }
}
