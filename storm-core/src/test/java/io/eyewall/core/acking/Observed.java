package io.eyewall.core.acking;

import java.util.Collection;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.hooks.info.SpoutAckInfo;

/** What the spouts, bolts and hooks of the running topology have seen. Static, since Storm copies spouts and bolts. */
final class Observed {

    static final Set<String> ACKED = ConcurrentHashMap.newKeySet();
    static final Set<String> FAILED = ConcurrentHashMap.newKeySet();
    static final Set<String> PAIRED = ConcurrentHashMap.newKeySet();
    static final Set<String> STREAMS = ConcurrentHashMap.newKeySet();
    static final Queue<Long> LATENCIES_MS = new ConcurrentLinkedQueue<>();

    private Observed() {
    }

    static void forget() {
        for (Collection<?> seen : new Collection<?>[] {ACKED, FAILED, PAIRED, STREAMS, LATENCIES_MS}) {
            seen.clear();
        }
    }

    /** The numbers below {@link TreeTopology#PAIRED} that are acked and not among these. */
    static Set<String> acksWithout(Set<String> processed) {
        Set<String> without = new TreeSet<>(ACKED);
        without.removeIf(number -> Integer.parseInt(number) >= TreeTopology.PAIRED);
        without.removeAll(processed);
        return without;
    }

    /** Notes what every task emits, and how long the spouts' messages took. */
    public static final class Hook extends BaseTaskHook {
        @Override
        public void emit(EmitInfo info) {
            STREAMS.add(info.stream);
        }

        @Override
        public void spoutAck(SpoutAckInfo info) {
            LATENCIES_MS.add(info.completeLatencyMs);
        }
    }
}
