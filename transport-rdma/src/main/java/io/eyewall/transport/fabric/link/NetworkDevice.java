package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.CompletionQueue;
import io.eyewall.transport.fabric.binding.Domain;
import io.eyewall.transport.fabric.binding.EventQueue;
import io.eyewall.transport.fabric.binding.Fabric;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.binding.FabricInfo;
import io.eyewall.transport.fabric.binding.MemoryRegion;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device of a network with its queues, shared by all endpoints of a group that use it. For the progress thread, but for
 * {@link #pollSends}. Finished sends have a queue of their own, which nobody sleeps on: to be told of each would cost the provider several
 * system calls, and those who wait for them look by themselves.
 */
final class NetworkDevice implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NetworkDevice.class);
    private static final int COMPLETIONS = 1 << 15;

    private final Fabric fabric;
    private final Domain domain;
    private final EventQueue events;
    private final CompletionQueue receives;
    private final CompletionQueue sends;
    private final boolean waitable;
    private final boolean hugePages;
    private final ReentrantLock sendsLock = new ReentrantLock();
    /** Guarded by the lock. */
    private boolean closed;

    /**
     * Opens a device.
     *
     * @param connections whether endpoints on it will be connected
     */
    NetworkDevice(FabricInfo info, boolean connections, LinkConfiguration configuration) {
        hugePages = configuration.hugePages();
        fabric = Fabric.open(info);
        domain = fabric.openDomain(info);
        events = connections ? fabric.openEventQueue() : null;
        CompletionQueue.Sleep sleep = connections ? CompletionQueue.Sleep.ON_DESCRIPTOR : CompletionQueue.Sleep.IN_CALL;
        CompletionQueue queue = null;
        if (configuration.idleMode() == IdleMode.WAIT) {
            try {
                queue = domain.openCompletionQueue(COMPLETIONS, sleep);
            } catch (FabricException e) {
                LOG.info("No thread can sleep on provider {}, so it is polled: {}", info.provider(), e.getMessage());
            }
        }
        waitable = queue != null;
        receives = waitable ? queue : domain.openCompletionQueue(COMPLETIONS, CompletionQueue.Sleep.NEVER);
        sends = domain.openCompletionQueue(COMPLETIONS, CompletionQueue.Sleep.NEVER);
    }

    Fabric fabric() {
        return fabric;
    }

    Domain domain() {
        return domain;
    }

    MemoryRegion allocate(int sizeBytes) {
        return domain.allocate(sizeBytes, hugePages);
    }

    EventQueue events() {
        return events;
    }

    CompletionQueue receives() {
        return receives;
    }

    CompletionQueue sends() {
        return sends;
    }

    boolean isWaitable() {
        return waitable;
    }

    /** Hands finished receives to their links, a batch at most; returns how many there were. */
    int poll(OperationContextTable contexts) {
        int count = receives.poll();
        for (int i = 0; i < count; i++) {
            long context = receives.context(i);
            contexts.link(context).onReceived(contexts.slot(context), receives.lengthBytes(i), receives.error());
        }
        return count;
    }

    /** As {@link #pollSends}, but if another thread does that just now, waits for it: then all that was finished before is handed over. */
    int pollAllSends(OperationContextTable contexts) {
        sendsLock.lock();
        try {
            return handOverSends(contexts);
        } finally {
            sendsLock.unlock();
        }
    }

    /**
     * Hands finished sends to their links, a batch at most, unless another thread does that just now. Safe for any thread that holds no
     * lock of a link.
     *
     * @return how many there were
     */
    int pollSends(OperationContextTable contexts) {
        if (!sendsLock.tryLock()) {
            return 0;
        }
        try {
            return handOverSends(contexts);
        } finally {
            sendsLock.unlock();
        }
    }

    @Override
    public void close() {
        sendsLock.lock();
        try {
            closed = true;
            sends.close();
        } finally {
            sendsLock.unlock();
        }
        receives.close();
        if (events != null) {
            events.close();
        }
        domain.close();
        fabric.close();
    }

    private int handOverSends(OperationContextTable contexts) {
        int count = closed ? 0 : sends.poll();
        for (int i = 0; i < count; i++) {
            long context = sends.context(i);
            contexts.link(context).onSent(contexts.slot(context), sends.error());
        }
        return count;
    }
}
