package io.eyewall.client.seam;

import java.util.List;
import org.apache.storm.state.State;
import org.apache.storm.topology.IStatefulBolt;
import org.apache.storm.tuple.Tuple;

/**
 * Woven into {@code StatefulBoltExecutor}: the user's bolt, its state, and the tuples that it has acked and that have to wait until the
 * state is committed. For the executor's thread, but for {@link #getBolt()}.
 */
public interface StatefulParts {

    /** The user's bolt. */
    IStatefulBolt<?> getBolt();

    /** Null until the bolt is prepared. */
    State getState();

    /** Whether the bolt has got its state; until then its tuples wait. */
    boolean isBoltInitialized();

    /** Says that the bolt has got its state. */
    void setBoltInitialized(boolean initialized);

    /** Those that are acked as soon as what is prepared is committed. */
    List<Tuple> getPreparedTuples();

    /** What keeps those that the bolt has acked since: of a class that is known in upstream's package only. */
    Object getCollector();
}
