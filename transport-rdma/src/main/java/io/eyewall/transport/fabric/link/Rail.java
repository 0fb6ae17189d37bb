package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.binding.CompletionQueue;
import io.eyewall.transport.fabric.binding.Domain;
import io.eyewall.transport.fabric.binding.EventQueue;
import io.eyewall.transport.fabric.binding.Fabric;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.binding.FabricInfo;
import io.eyewall.transport.fabric.binding.MemoryRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A device of a network with its queues, shared by all endpoints of a group that use it. For the progress thread. */
final class Rail implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Rail.class);
    private static final int COMPLETIONS = 1 << 15;

    private final Fabric fabric;
    private final Domain domain;
    private final EventQueue events;
    private final CompletionQueue completions;
    private final boolean waitable;
    private final boolean hugePages;

    /**
     * Opens a device.
     *
     * @param connections whether endpoints on it will be connected
     */
    Rail(FabricInfo info, boolean connections, LinkConfiguration configuration) {
        hugePages = configuration.hugePages();
        fabric = Fabric.open(info);
        domain = fabric.openDomain(info);
        events = connections ? fabric.openEventQueue() : null;
        CompletionQueue queue = null;
        if (configuration.idleMode() == IdleMode.WAIT) {
            try {
                queue = domain.openCompletionQueue(COMPLETIONS, true);
            } catch (FabricException e) {
                LOG.info("No thread can sleep on provider {}, so it is polled: {}", info.provider(), e.getMessage());
            }
        }
        waitable = queue != null;
        completions = waitable ? queue : domain.openCompletionQueue(COMPLETIONS, false);
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

    CompletionQueue completions() {
        return completions;
    }

    boolean isWaitable() {
        return waitable;
    }

    /** Hands completions to their links, a batch at most; returns how many there were. */
    int poll(ContextTable contexts) {
        int count = completions.poll();
        for (int i = 0; i < count; i++) {
            long context = completions.context(i);
            contexts.link(context).onCompletion(contexts.slot(context), completions.lengthBytes(i), completions.error());
        }
        return count;
    }

    /** Whether the progress thread may sleep on the queues. */
    boolean mayWait() {
        return completions.mayWait(events);
    }

    @Override
    public void close() {
        completions.close();
        if (events != null) {
            events.close();
        }
        domain.close();
        fabric.close();
    }
}
