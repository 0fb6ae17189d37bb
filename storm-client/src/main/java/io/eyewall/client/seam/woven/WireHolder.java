package io.eyewall.client.seam.woven;

import io.eyewall.client.seam.TupleWire;

/** Woven into the serializer and deserializer of tuples: holds the wire of each; not for use by features. */
public interface WireHolder {

    /** The wire, or null. */
    TupleWire getEyewallWire();

    /** Sets the wire; null for none. On the thread that makes the serializer or deserializer, and before it is used. */
    void setEyewallWire(TupleWire wire);
}
