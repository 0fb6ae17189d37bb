package io.eyewall.client.seam;

import java.util.List;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.IWaitStrategy;
import org.apache.storm.utils.JCQueue;

/**
 * The seam <em>receive-queue</em>: makes the queue in which an executor receives its tuples.
 */
@FunctionalInterface
public interface ReceiveQueues {

    /** Upstream's way. */
    ReceiveQueues UPSTREAM = Request::upstreamQueue;

    /**
     * Makes the queue of one executor, on the thread that starts the worker or, later, changes it. Upstream registers a queue's metrics
     * under its name, so one request must not be answered by making two queues.
     */
    JCQueue receiveQueue(Request request);

    /**
     * The executor, and how upstream would make its queue.
     *
     * @param queueName the name of the queue, which holds the executor's first and last task
     * @param metricName the prefix of the queue's metrics
     * @param sizeTuples capacity, in tuples
     * @param overflowLimitTuples capacity of the overflow list, in tuples; 0 for no limit
     * @param producerBatchTuples how many tuples a producer collects before it inserts them
     * @param backPressureWait how a producer waits while the queue is full
     * @param topologyId the topology's id
     * @param componentId the executor's component
     * @param taskIds the executor's tasks
     * @param port the worker's port
     * @param metrics the worker's metrics
     */
    record Request(String queueName, String metricName, int sizeTuples, int overflowLimitTuples, int producerBatchTuples,
            IWaitStrategy backPressureWait, String topologyId, String componentId, List<Integer> taskIds, int port,
            StormMetricRegistry metrics) {

        /** The queue that upstream would make. */
        public JCQueue upstreamQueue() {
            return new JCQueue(queueName, metricName, sizeTuples, overflowLimitTuples, producerBatchTuples, backPressureWait, topologyId,
                componentId, taskIds, port, metrics);
        }
    }
}
