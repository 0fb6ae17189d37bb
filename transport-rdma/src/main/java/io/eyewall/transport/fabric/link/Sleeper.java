package io.eyewall.transport.fabric.link;

/** How the progress thread of a group sleeps until the provider has something for it, other than a finished send. */
interface Sleeper {

    /**
     * Prepares to sleep, by the progress thread. It must look once more for what there is to do before it sleeps.
     *
     * @return false if there is something to do already
     */
    boolean prepare();

    /**
     * Sleeps, by the progress thread.
     *
     * @return whether there may be events of connections
     */
    boolean sleep(int timeoutMs);

    /** Ends the sleep, or the next one. Safe for any thread, even if everything is closed meanwhile. */
    void wake();
}
