package io.eyewall.client.hot;

import org.apache.storm.tuple.AddressedTuple;

/** Sends tuples to other workers. For the {@link Forwarder}'s thread. */
interface TupleTransfer {

    /** Hands a tuple to its task's worker; returns false if the transfer queue is full or that worker asks to hold back. */
    boolean trySend(AddressedTuple tuple);

    /** Sends the tuples that have been gathered; waits while the transfer queue is full. */
    void flush();
}
