package io.eyewall.client.engine;

import io.eyewall.client.seam.ForwardingReceiver;
import java.util.Collection;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.local.Context;
import org.apache.storm.messaging.netty.BackPressureStatus;

/**
 * The transport of workers that run in one process, as those of a {@code LocalCluster} do. A worker's reports of back-pressure reach the
 * workers that send to it, and one that connects gets a first report, as over Netty; upstream's local transport throws an exception.
 */
public final class LocalTransport extends Context {

    private final Map<Place, Senders> senders = new ConcurrentHashMap<>();

    /** In place of {@code new Context()} in the constructor of {@code LocalCluster}. */
    public static Context make() {
        return new LocalTransport();
    }

    @Override
    public IConnection bind(String topologyId, int port, IConnectionCallback received, Supplier<Object> firstReport) {
        Senders here = senders(topologyId, port);
        here.bound(firstReport);
        return new ForwardingReceiver(super.bind(topologyId, port, received, firstReport)) {
            @Override
            public void sendBackPressureStatus(BackPressureStatus status) {
                here.report(status);
            }
        };
    }

    @Override
    public IConnection connect(String topologyId, String host, int port, AtomicBoolean[] heldBack) {
        senders(topologyId, port).connected(heldBack);
        return super.connect(topologyId, host, port, heldBack);
    }

    private Senders senders(String topologyId, int port) {
        return senders.computeIfAbsent(new Place(topologyId, port), first -> new Senders());
    }

    private record Place(String topologyId, int port) {
    }

    /** The workers that send to one worker, and to the next one in its place. */
    private static final class Senders {

        /** The keys are the flags of each connection, by task. The sending worker holds them; nothing reports that it has ended. */
        private final Map<AtomicBoolean[], Boolean> flags = new WeakHashMap<>();
        /** Null while there is no worker in that place. */
        private Supplier<Object> firstReport;

        synchronized void bound(Supplier<Object> report) {
            firstReport = report;
            report((BackPressureStatus) report.get());
        }

        synchronized void connected(AtomicBoolean[] heldBack) {
            flags.put(heldBack, true);
            if (firstReport != null) {
                report((BackPressureStatus) firstReport.get());
            }
        }

        synchronized void report(BackPressureStatus status) {
            for (AtomicBoolean[] heldBack : flags.keySet()) {
                set(heldBack, status.bpTasks, true);
                set(heldBack, status.nonBpTasks, false);
            }
        }

        /** Nobody holds back for the system's task, whose id is negative. */
        private static void set(AtomicBoolean[] heldBack, Collection<Integer> tasks, boolean full) {
            tasks.stream().filter(task -> task >= 0).forEach(task -> heldBack[task].set(full));
        }
    }
}
