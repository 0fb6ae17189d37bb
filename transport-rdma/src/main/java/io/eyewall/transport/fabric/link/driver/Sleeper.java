package io.eyewall.transport.fabric.link.driver;

/** Lets the progress thread sleep until the provider has something for it. A completed send does not end the sleep. */
public interface Sleeper {

    /**
     * Prepares a sleep. After this call, the progress thread must look once more for work before it sleeps.
     *
     * @return false if there is work already
     */
    boolean prepare();

    /**
     * Lets the progress thread sleep.
     *
     * @return whether there may be events of connections
     */
    boolean sleep(int timeoutMs);

    /** Ends the current sleep, or the next one. Any thread may call it, even after the driver is closed. */
    void wake();
}
