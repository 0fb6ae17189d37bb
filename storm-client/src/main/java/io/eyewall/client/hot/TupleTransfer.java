package io.eyewall.client.hot;

import org.apache.storm.tuple.AddressedTuple;

/** The way of tuples to other workers. For the {@link Forwarder}'s thread. */
interface TupleTransfer {

    /** Hands a tuple to its task's worker; false if the way is full, or that worker asks to hold back. */
    boolean trySend(AddressedTuple tuple);

    /** Sends what has been gathered; waits while the transfer queue is full. */
    void flush();
}
