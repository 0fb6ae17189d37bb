package io.eyewall.client.seam;

import java.util.Queue;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;

/**
 * Woven into what a stateful bolt acks its tuples with. For the executor's thread.
 */
public interface AckingParts {

    /** Those that the bolt has acked since the last checkpoint. */
    Queue<Tuple> getAckedTuples();

    /** What acks them. */
    OutputCollector getDelegate();
}
