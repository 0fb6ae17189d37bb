package io.eyewall.client.seam;

/**
 * The seam <em>tuple-stamp</em>, woven into {@code TupleImpl}: carries one object that a feature sends along with the tuple, inside the
 * worker by reference and between workers through a {@link TupleWire}.
 */
public interface Stamped {

    /** The object that was set last, or null. */
    Object getEyewallStamp();

    /** Sets the object. Only for the thread that holds the tuple; the object is handed on with the tuple. */
    void setEyewallStamp(Object stamp);
}
