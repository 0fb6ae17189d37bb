package io.eyewall.integration.cluster;

import java.io.IOException;

/** Sends signals to processes. */
public final class Signals {

    private Signals() {
    }

    /**
     * Sends a signal, and returns when it has been sent. Does nothing if the process is gone.
     *
     * @param name the signal's name, as {@code kill} takes it: {@code STOP}
     */
    public static void send(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new ClusterException("Cannot run kill.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while signal " + name + " was being sent to process " + pid + ".", e);
        }
    }
}
