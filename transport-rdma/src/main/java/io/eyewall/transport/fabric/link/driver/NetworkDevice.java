package io.eyewall.transport.fabric.link.driver;

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
 * A network device with its queues, which all endpoints of a driver on that device share. For the progress thread, except
 * {@link #pollSends()}.
 *
 * <p>Completed sends have a queue of their own, on which no thread sleeps: a wake-up for each would cost the provider several system
 * calls, and a thread that needs a completed send polls the queue itself.
 */
final class NetworkDevice implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NetworkDevice.class);
    private static final int COMPLETIONS = 1 << 15;

    private final OperationContextTable contexts;
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
     * @param connections whether its endpoints will be connected
     */
    NetworkDevice(FabricInfo info, boolean connections, DriverConfiguration configuration, OperationContextTable contexts) {
        this.contexts = contexts;
        hugePages = configuration.hugePages();
        fabric = Fabric.open(info);
        domain = fabric.openDomain(info);
        events = connections ? fabric.openEventQueue() : null;
        CompletionQueue.Sleep sleep = connections ? CompletionQueue.Sleep.ON_DESCRIPTOR : CompletionQueue.Sleep.IN_CALL;
        CompletionQueue queue = null;
        if (configuration.sleeps()) {
            try {
                queue = domain.openCompletionQueue(COMPLETIONS, sleep);
            } catch (FabricException e) {
                LOG.info("Provider {} cannot wake a sleeping thread, so its queues are polled: {}", info.provider(), e.getMessage());
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

    /** Events of connections, or null if there are no connections. */
    EventQueue events() {
        return events;
    }

    CompletionQueue receives() {
        return receives;
    }

    CompletionQueue sends() {
        return sends;
    }

    /** Whether a thread can sleep until there is a completed receive. */
    boolean isWaitable() {
        return waitable;
    }

    /** Reports completed receives to their links, one batch at most; returns how many. */
    int pollReceives() {
        int count = receives.poll();
        for (int i = 0; i < count; i++) {
            long context = receives.context(i);
            contexts.link(context).onReceived(contexts.slot(context), receives.lengthBytes(i), receives.error());
        }
        return count;
    }

    /** As {@link #pollSends()}, but waits while another thread does it, so that all sends completed before this call are reported. */
    int pollAllSends() {
        sendsLock.lock();
        try {
            return reportSends();
        } finally {
            sendsLock.unlock();
        }
    }

    /**
     * Reports completed sends to their links, one batch at most, unless another thread is doing it. Any thread that holds no link's lock
     * may call it.
     *
     * @return how many sends had completed
     */
    int pollSends() {
        if (!sendsLock.tryLock()) {
            return 0;
        }
        try {
            return reportSends();
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

    private int reportSends() {
        int count = closed ? 0 : sends.poll();
        for (int i = 0; i < count; i++) {
            long context = sends.context(i);
            contexts.link(context).onSent(contexts.slot(context), sends.error());
        }
        return count;
    }
}
