package io.eyewall.integration.micro;

import io.eyewall.client.frame.FrameWriter;
import io.eyewall.client.seam.QueueRequest;
import io.eyewall.client.seam.TupleLimit;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.Utils;

/** Queues and tuples of Storm's without a worker. */
public final class StormFixtures {

    private static final GeneralTopologyContext CONTEXT = new GeneralTopologyContext(topology(), Map.of(), Map.of(1, "words"),
        Map.of("words", List.of(1)), Map.of("words", Map.of("default", new Fields("word"))), "test-1");
    private static final int PORT = 6700;
    private static final long PARK_MS = 100;

    private StormFixtures() {
    }

    private static StormTopology topology() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        return topology.createTopology();
    }

    /** The queue of the executor of one task: no limit to what overflows, no batches. */
    public static QueueRequest queue(int task, int sizeTuples) {
        return new QueueRequest("queue", "metric", sizeTuples, 0, 1, new WaitStrategyPark(PARK_MS), "topology", "component",
            List.of(task), PORT, new StormMetricRegistry());
    }

    /** A tuple for a task, or for all of an executor's. */
    public static AddressedTuple tuple(int task) {
        return new AddressedTuple(task, new TupleImpl(CONTEXT, List.of("word"), "words", 1, "default"));
    }

    /** A writer of frames, with Storm's defaults. */
    public static FrameWriter frameWriter() {
        return new FrameWriter(Utils.readDefaultConfig(), CONTEXT, null, TupleLimit.NONE);
    }

    /** Counts what it is handed. Used by one thread at a time. */
    public static final class Counter implements JCQueue.Consumer {
        private int counted;

        @Override
        public void accept(Object element) {
            counted++;
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        public int counted() {
            return counted;
        }
    }
}
