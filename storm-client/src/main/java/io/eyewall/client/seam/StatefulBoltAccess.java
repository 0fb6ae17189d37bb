package io.eyewall.client.seam;

import java.util.List;
import org.apache.storm.state.State;
import org.apache.storm.topology.IStatefulBolt;
import org.apache.storm.tuple.Tuple;

/**
 * Woven into {@code StatefulBoltExecutor}: the user's bolt, its state, and the tuples whose acks wait until the state is committed. For the
 * executor's thread, except {@link #getBolt()}, which is for any thread.
 */
public interface StatefulBoltAccess {

    /** The user's bolt. */
    IStatefulBolt<?> getBolt();

    /** Null until the bolt is prepared. */
    State getState();

    /** Whether the bolt has its state; its tuples wait until then. */
    boolean isBoltInitialized();

    /** Sets whether the bolt has its state. */
    void setBoltInitialized(boolean initialized);

    /** The tuples that are acked when the prepared state is committed. */
    List<Tuple> getPreparedTuples();

    /** The collector, which holds the tuples that the bolt has acked since. Its class is private to upstream's package. */
    Object getCollector();
}
