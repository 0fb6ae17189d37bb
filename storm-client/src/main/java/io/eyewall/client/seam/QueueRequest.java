package io.eyewall.client.seam;

import java.util.List;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.policy.IWaitStrategy;
import org.apache.storm.utils.JCQueue;

/**
 * An executor or a transfer thread, and how upstream would make its queue. Immutable.
 *
 * @param queueName the name of the queue, which holds the executor's first and last task
 * @param metricName the prefix of the queue's metrics
 * @param sizeTuples capacity, in tuples
 * @param overflowLimitTuples capacity of the overflow list, in tuples; 0 for no limit
 * @param producerBatchTuples how many tuples a producer collects before it inserts them
 * @param backPressureWait how a producer waits while the queue is full
 * @param topologyId the topology's id
 * @param componentId the component of the queue's executor
 * @param taskIds the tasks of the queue's executor
 * @param port the worker's port
 * @param metrics the worker's metrics
 */
public record QueueRequest(String queueName, String metricName, int sizeTuples, int overflowLimitTuples, int producerBatchTuples,
        IWaitStrategy backPressureWait, String topologyId, String componentId, List<Integer> taskIds, int port,
        StormMetricRegistry metrics) {

    /** The queue that upstream would make. */
    public JCQueue upstreamQueue() {
        return new JCQueue(queueName, metricName, sizeTuples, overflowLimitTuples, producerBatchTuples, backPressureWait, topologyId,
            componentId, taskIds, port, metrics);
    }
}
