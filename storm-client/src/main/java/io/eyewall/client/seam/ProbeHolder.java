package io.eyewall.client.seam;

/** Where woven code keeps the probe of an executor; not for use by features. */
public interface ProbeHolder {

    /** The probe, or null. */
    ExecutorProbe getEyewallProbe();

    void setEyewallProbe(ExecutorProbe probe);
}
