package io.eyewall.client.seam;

import io.eyewall.client.substitute.CapacityMemory;

/** Where woven code keeps what it remembers of a bolt's capacity; not for use by features. */
public interface CapacityHolder {

    /** The memory, or null. */
    CapacityMemory getEyewallCapacity();

    /** Sets it, on the thread of the bolt, which alone reads it. */
    void setEyewallCapacity(CapacityMemory memory);
}
