package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.Waiter;
import java.util.ArrayList;
import java.util.List;

/** Sleeps on the descriptors of all queues of several devices. */
final class DescriptorSleeper implements Sleeper {

    private final Waiter waiter;
    private final List<Rail> rails;

    /**
     * A sleeper.
     *
     * @param waiter woken by others; it belongs to the caller
     * @param rails all of them {@linkplain Rail#isWaitable waitable}
     */
    DescriptorSleeper(Waiter waiter, List<Rail> rails) {
        this.waiter = waiter;
        this.rails = rails;
        List<Integer> eachTime = new ArrayList<>();
        List<Integer> onDemand = new ArrayList<>();
        for (Rail rail : rails) {
            eachTime.add(rail.events().descriptor());
            onDemand.add(rail.sends().descriptor());
        }
        for (Rail rail : rails) {
            eachTime.add(rail.receives().descriptor());
        }
        waiter.watch(eachTime, onDemand);
    }

    @Override
    public boolean prepare(boolean untilSent) {
        for (Rail rail : rails) {
            if (!rail.receives().mayWait(rail.events()) || (untilSent && !rail.sends().mayWait(null))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean sleep(int timeoutMs, boolean untilSent) {
        return !waiter.await(timeoutMs, untilSent) || waiter.isReadable(0, rails.size());
    }

    @Override
    public void wake() {
        waiter.wake();
    }
}
