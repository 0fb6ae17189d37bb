package io.eyewall.client.seam.woven;

import io.eyewall.client.seam.TupleWire;

/** Where woven code keeps what a serializer or deserializer writes and reads besides tuples; not for use by features. */
public interface WireHolder {

    /** The wire, or null. */
    TupleWire getEyewallWire();

    /** Sets the wire; null for none. On the thread that makes the serializer or deserializer, and before it is used. */
    void setEyewallWire(TupleWire wire);
}
