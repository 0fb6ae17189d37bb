package io.eyewall.client.hot;

import io.eyewall.client.seam.AckedTuplesAccess;
import io.eyewall.client.seam.StatefulBoltAccess;
import io.eyewall.client.seam.TransactionAccess;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.state.State;
import org.apache.storm.topology.IStatefulBolt;
import org.apache.storm.topology.StatefulBoltExecutor;
import org.apache.storm.topology.WindowedBoltExecutor;
import org.apache.storm.tuple.Tuple;

/**
 * The state of one task of a stateful bolt, which leaves one worker and arrives at another while no checkpoint is being made. For the
 * executor's thread.
 */
final class MovableState {

    private final StatefulBoltAccess parts;

    private MovableState(StatefulBoltAccess parts) {
        this.parts = parts;
    }

    /** Whether the object that a task runs is a stateful bolt, as upstream wraps it. */
    static boolean isOf(Object taskObject) {
        return taskObject instanceof StatefulBoltExecutor;
    }

    /** The state of the task that runs such an object. */
    static MovableState of(Object taskObject) {
        return new MovableState((StatefulBoltAccess) taskObject);
    }

    /** Whether the bolt has windows. Such a bolt keeps tuples that its state does not contain. */
    boolean hasWindows() {
        return parts.getBolt() instanceof WindowedBoltExecutor;
    }

    /** Gives a prepared bolt the committed state. Without this call the bolt would get it only at the next recovery. */
    @SuppressWarnings("unchecked") // As upstream does it.
    void restore() {
        if (!parts.isBoltInitialized()) {
            ((IStatefulBolt<State>) parts.getBolt()).initState(parts.getState());
            parts.setBoltInitialized(true);
        }
    }

    /** Commits the state of a bolt that gets no more tuples, and acks the tuples that were waiting for the commit. */
    void commit() {
        if (!parts.isBoltInitialized()) {
            return; // It has executed nothing; its tuples are replayed.
        }
        long txid = ((TransactionAccess) parts).getLastTxid();
        parts.getBolt().prePrepare(txid);
        parts.getBolt().preCommit(txid);
        parts.getState().commit();
        AckedTuplesAccess acking = (AckedTuplesAccess) parts.getCollector();
        List<Tuple> acked = new ArrayList<>(parts.getPreparedTuples());
        parts.getPreparedTuples().clear();
        acked.addAll(acking.getAckedTuples());
        acking.getAckedTuples().clear();
        acked.forEach(acking.getDelegate()::ack);
    }
}
