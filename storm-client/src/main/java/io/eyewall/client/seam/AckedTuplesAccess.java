package io.eyewall.client.seam;

import java.util.Queue;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;

/**
 * Woven into the collector with which a stateful bolt acks its tuples. For the executor's thread.
 */
public interface AckedTuplesAccess {

    /** The tuples that the bolt has acked since the last checkpoint. */
    Queue<Tuple> getAckedTuples();

    /** The collector through which these tuples are acked. */
    OutputCollector getDelegate();
}
