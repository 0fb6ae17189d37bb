package io.eyewall.client.seam;

/**
 * What every {@code TupleImpl} is once woven: the carrier of one object that a feature sends along with the tuple, inside the worker by
 * reference and between workers through a {@link TupleWire}.
 */
public interface Stamped {

    /** What was set last, or null. */
    Object getEyewallStamp();

    /** Set by the one thread that holds the tuple; handed on with the tuple itself. */
    void setEyewallStamp(Object stamp);
}
