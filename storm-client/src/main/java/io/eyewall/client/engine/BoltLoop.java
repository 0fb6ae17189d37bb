package io.eyewall.client.engine;

import io.eyewall.client.settings.ComponentGraph;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;

/**
 * Bolts that send to each other in a loop, and the queues that they have in one worker. An executor with unsent tuples takes none, so if
 * all queues of the loop were full, each executor would wait for the next one for ever. Therefore a tuple that stays in the loop goes to
 * the overflow list of a full queue. While there is such a tuple, the queues refuse what comes into the loop from executors of the worker,
 * and count as overflowing, so that other workers hold back what they send to them. So what is in the loop can grow beyond the capacity of
 * its queues only by what its bolts make of the tuples that are in it, and by what is on its way from other workers.
 *
 * <p>If a queue of the loop cannot refuse tuples, tuples that stay in the loop wait as all others.
 *
 * <p>Safe for use by any thread.
 */
final class BoltLoop {

    private final Set<String> components;
    private final Set<WakingQueue> queues = ConcurrentHashMap.newKeySet();
    /** Whether an overflow list may have elements. Raised after an element is added, lowered before the lists are checked once more. */
    private volatile boolean mayOverflow;
    private volatile boolean isOff;

    private BoltLoop(Set<String> components) {
        this.components = components;
    }

    /** The loops of a topology, by the component. A component in none has no entry. */
    static Map<String, BoltLoop> of(StormTopology topology) {
        Map<String, Bolt> bolts = topology.is_set_bolts() ? topology.get_bolts() : Map.of();
        Map<String, Set<String>> targets = new HashMap<>();
        bolts.forEach((id, bolt) -> {
            for (GlobalStreamId input : bolt.get_common().get_inputs().keySet()) {
                targets.computeIfAbsent(input.get_componentId(), sender -> new HashSet<>()).add(id);
            }
        });
        ComponentGraph graph = new ComponentGraph(targets);
        Map<String, BoltLoop> loops = new HashMap<>();
        for (String bolt : bolts.keySet()) {
            if (!loops.containsKey(bolt) && graph.hasCycle(bolt, bolt)) {
                Set<String> components = bolts.keySet().stream().filter(other -> graph.hasCycle(bolt, other)).collect(Collectors.toSet());
                BoltLoop loop = new BoltLoop(components);
                components.forEach(component -> loops.put(component, loop));
            }
        }
        return loops;
    }

    /** A bolt of the loop has a queue that cannot refuse tuples. */
    void switchOff() {
        isOff = true;
    }

    boolean isOff() {
        return isOff;
    }

    /** Whether a bolt of the loop has emitted the element of a queue. */
    boolean hasEmitted(Object element) {
        return element instanceof AddressedTuple tuple && components.contains(tuple.getTuple().getSourceComponent());
    }

    void add(WakingQueue queue) {
        queues.add(queue);
    }

    void remove(JCQueue queue) {
        queues.remove(queue);
    }

    /** A tuple that stays in the loop has gone to an overflow list. */
    void overflowed() {
        mayOverflow = true;
    }

    /** Whether the overflow list of a queue has tuples. */
    boolean overflows() {
        return overflowing() != null;
    }

    /**
     * Registers the calling producer for space in a queue whose overflow list has tuples; nothing must come into the loop before. Returns
     * whether there is such a queue. Its consumer wakes the producer: that of the queue to which the producer sends may have nothing to do.
     */
    boolean registerIfOverflows() {
        for (WakingQueue queue = overflowing(); queue != null; queue = overflowing()) {
            queue.registerForSpace();
            if (queue.hasOverflow()) {
                return true;
            }
        }
        return false;
    }

    /** A queue whose overflow list has tuples; null if there is none. */
    private WakingQueue overflowing() {
        if (!mayOverflow) {
            return null;
        }
        WakingQueue found = find();
        if (found == null) {
            mayOverflow = false;
            found = find();
            if (found != null) {
                mayOverflow = true;
            }
        }
        return found;
    }

    private WakingQueue find() {
        for (WakingQueue queue : queues) {
            if (queue.hasOverflow()) {
                return queue;
            }
        }
        return null;
    }
}
