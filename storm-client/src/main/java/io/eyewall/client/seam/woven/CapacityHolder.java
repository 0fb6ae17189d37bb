package io.eyewall.client.seam.woven;

import io.eyewall.client.substitute.CachedCapacity;

/** Woven into {@code BoltExecutorStats}: holds the cached capacity of a bolt's executor; not for use by features. */
public interface CapacityHolder {

    /** The cached capacity, or null before the first sample. */
    CachedCapacity getEyewallCapacity();

    /** Sets it, on the thread of the bolt, which is the only one that reads it. */
    void setEyewallCapacity(CachedCapacity capacity);
}
