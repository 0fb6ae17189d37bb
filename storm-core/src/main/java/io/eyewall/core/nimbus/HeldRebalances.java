package io.eyewall.core.nimbus;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seam <em>held-rebalance</em>: the rebalances for which a Nimbus could not compute assignments when they were due. In the first
 * seconds in which a Nimbus leads it does not know yet what runs, and upstream leaves such a rebalance undone: the new numbers of workers
 * and executors are stored, and the topology keeps its slots. Here its slots are computed anew as soon as Nimbus computes any. For the
 * threads of Nimbus that compute assignments.
 */
public final class HeldRebalances {

    private static final Logger LOG = LoggerFactory.getLogger(HeldRebalances.class);

    private final Set<String> topologies = ConcurrentHashMap.newKeySet();

    /**
     * Called whenever Nimbus is about to compute assignments. Returns the topology whose slots are computed anew.
     *
     * @param due the topology whose rebalance is due; null if none is
     * @param leads whether this Nimbus leads; another one knows nothing of rebalances that are held here
     */
    public static String begin(Nimbus nimbus, String due, boolean leads) {
        return of(nimbus).begin(due, leads);
    }

    /** Called when Nimbus has computed assignments, with what {@link #begin} has returned. */
    public static void end(Nimbus nimbus, String topology) {
        of(nimbus).end(topology);
    }

    String begin(String due, boolean leads) {
        if (!leads) {
            topologies.clear();
            return due;
        }
        if (due != null) {
            topologies.add(due);
            return due;
        }
        Iterator<String> held = topologies.iterator();
        if (!held.hasNext()) {
            return null;
        }
        String topology = held.next();
        LOG.info("The rebalance of {} was due before this Nimbus could assign slots. It is carried out as soon as it can.", topology);
        return topology;
    }

    void end(String topology) {
        if (topology != null) {
            topologies.remove(topology);
        }
    }

    private static HeldRebalances of(Nimbus nimbus) {
        return NimbusParts.of(nimbus, HeldRebalances.class, HeldRebalances::new);
    }
}
