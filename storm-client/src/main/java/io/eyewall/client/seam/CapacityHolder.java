package io.eyewall.client.seam;

import io.eyewall.client.substitute.CapacityMemory;

/** Where woven code keeps what it remembers of a bolt's capacity; not for use by features. */
public interface CapacityHolder {

    /** The memory, or null. */
    CapacityMemory getEyewallCapacity();

    void setEyewallCapacity(CapacityMemory memory);
}
