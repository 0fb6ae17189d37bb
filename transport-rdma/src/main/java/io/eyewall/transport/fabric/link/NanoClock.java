package io.eyewall.transport.fabric.link;

/** Tells the time; handed in, so that tests can move it. */
@FunctionalInterface
public interface NanoClock {

    /** The clock of the system. */
    NanoClock SYSTEM = System::nanoTime;

    /** Nanoseconds since an arbitrary point; compare by subtraction. */
    long nanoTime();
}
