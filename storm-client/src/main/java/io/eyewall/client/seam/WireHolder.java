package io.eyewall.client.seam;

/** Where woven code keeps what a serializer or deserializer writes and reads besides tuples; not for use by features. */
public interface WireHolder {

    /** The wire, or null. */
    TupleWire getEyewallWire();

    void setEyewallWire(TupleWire wire);
}
