package io.eyewall.transport.fabric.link.driver;

import io.eyewall.transport.fabric.binding.DescriptorWaiter;
import java.util.ArrayList;
import java.util.List;

/** Sleeps on the file descriptors of the event and receive queues of several devices. */
final class DescriptorSleeper implements Sleeper {

    private final DescriptorWaiter waiter;
    private final List<NetworkDevice> devices;

    /**
     * A sleeper.
     *
     * @param waiter belongs to the caller, who also closes it
     * @param devices all of them {@linkplain NetworkDevice#isWaitable waitable}
     */
    DescriptorSleeper(DescriptorWaiter waiter, List<NetworkDevice> devices) {
        this.waiter = waiter;
        this.devices = devices;
        List<Integer> descriptors = new ArrayList<>();
        devices.forEach(device -> descriptors.add(device.events().descriptor()));
        devices.forEach(device -> descriptors.add(device.receives().descriptor()));
        waiter.watch(descriptors);
    }

    @Override
    public boolean prepare() {
        return devices.stream().allMatch(device -> device.receives().mayWait(device.events()));
    }

    @Override
    public boolean sleep(int timeoutMs) {
        return !waiter.await(timeoutMs) || waiter.isReadable(0, devices.size());
    }

    @Override
    public void wake() {
        waiter.wake();
    }
}
