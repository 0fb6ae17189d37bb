package io.eyewall.client.seam.woven;

import io.eyewall.client.seam.ExecutorProbe;

/** Woven into {@code Executor} and {@code ExecutorTransfer}: holds the probe of an executor; not for use by features. */
public interface ProbeHolder {

    /** The probe, or null. */
    ExecutorProbe getEyewallProbe();

    /** Sets the probe; null for none. Before the executor runs: woven code reads it on the executor's threads without a lock. */
    void setEyewallProbe(ExecutorProbe probe);
}
