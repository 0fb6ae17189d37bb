package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.DescriptorWaiter;
import java.util.ArrayList;
import java.util.List;

/** Sleeps on the descriptors of all queues of several devices but those of finished sends. */
final class DescriptorSleeper implements Sleeper {

    private final DescriptorWaiter waiter;
    private final List<NetworkDevice> rails;

    /**
     * A sleeper.
     *
     * @param waiter woken by others; it belongs to the caller
     * @param rails all of them {@linkplain NetworkDevice#isWaitable waitable}
     */
    DescriptorSleeper(DescriptorWaiter waiter, List<NetworkDevice> rails) {
        this.waiter = waiter;
        this.rails = rails;
        List<Integer> descriptors = new ArrayList<>();
        rails.forEach(rail -> descriptors.add(rail.events().descriptor()));
        rails.forEach(rail -> descriptors.add(rail.receives().descriptor()));
        waiter.watch(descriptors);
    }

    @Override
    public boolean prepare() {
        return rails.stream().allMatch(rail -> rail.receives().mayWait(rail.events()));
    }

    @Override
    public boolean sleep(int timeoutMs) {
        return !waiter.await(timeoutMs) || waiter.isReadable(0, rails.size());
    }

    @Override
    public void wake() {
        waiter.wake();
    }
}
