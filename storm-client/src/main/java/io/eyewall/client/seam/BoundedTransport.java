package io.eyewall.client.seam;

/** A transport whose connections carry no tuple beyond a length. */
public interface BoundedTransport {

    /** The longest tuple, in bytes. A longer one must not be sent. */
    int mostTupleBytes();
}
