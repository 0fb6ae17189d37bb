package io.eyewall.tail.auto;

import java.util.concurrent.TimeUnit;

/**
 * The conditions under which each technique helps: table 5.4 of Guangxiang Du's thesis, with numbers where it says high, moderate and much.
 * Between the conditions for a technique and those against it is a band in which it stays as it is.
 * <ul>
 * <li>Adaptive timeout: "moderate or low system workload" and "utilization for queues". On while up to 49 % of the hosts' CPU is busy, the
 * limit of its use in the thesis, and bolts are busy for up to half of their time; off from 60 % and two thirds on. It stays as it is while
 * all bolts are idle.</li>
 * <li>Shared queues: "≥ 2 tasks of the same operator in a worker process" and "high utilization for tasks' input queues": on from 60 %, off
 * below 40 %. By the model of section 3.2 a tuple at 60 % waits for 1.5 executions on average with a queue for each executor, and for 0.56
 * with one queue for two executors. At 40 % separate queues cost two thirds of an execution.</li>
 * <li>Load balancing: "some tasks to be much slower than others of the same operator". On when one task is twice as slow; off when they are
 * within a fifth of each other, the tolerance of Algorithm 2. It stays off for tasks that all take less than a millisecond: differences on
 * that scale come from other work of the machine.</li>
 * </ul>
 * Pure functions.
 */
final class TechniqueConditions {

    private static final double CPU_MODERATE = 0.49;
    private static final double CPU_HIGH = 0.6;
    private static final double QUEUES_MODERATE = 0.5;
    private static final double QUEUES_HIGH = 0.66;

    private static final double SHARING_FROM = 0.6;
    private static final double SHARING_TO = 0.4;

    private static final double MUCH_SLOWER = 2;
    private static final double ALIKE = 1.2;
    private static final double WORTH_IT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private TechniqueConditions() {
    }

    /**
     * Whether load is low enough to send a message twice.
     *
     * @param cpu the share of the CPUs that is busy, from 0 to 1, on the busiest host that is known; NaN if it is not known
     * @param utilisation the mean share of their time in which the executors of the busiest known bolt execute
     */
    static boolean forAdaptiveTimeout(double cpu, double utilisation) {
        return utilisation > 0 && !(cpu > CPU_MODERATE) && utilisation <= QUEUES_MODERATE;
    }

    /** Whether load is too high to send a message twice; parameters as above. */
    static boolean againstAdaptiveTimeout(double cpu, double utilisation) {
        return utilisation >= QUEUES_HIGH || (utilisation > 0 && cpu >= CPU_HIGH);
    }

    /**
     * Whether the executors of a bolt should share a queue.
     *
     * @param executors the number of its executors in the worker
     * @param utilisation the mean share of their time in which they execute
     */
    static boolean forSharing(int executors, double utilisation) {
        return executors > 1 && utilisation >= SHARING_FROM;
    }

    /** Whether a queue for each executor is enough. */
    static boolean againstSharing(double utilisation) {
        return utilisation < SHARING_TO;
    }

    /** Whether one task is much slower than another, from the latencies of the fastest and the slowest task, in ns. */
    static boolean forBalancing(double leastNs, double mostNs) {
        return mostNs >= WORTH_IT_NS && mostNs >= MUCH_SLOWER * leastNs;
    }

    /** Whether all tasks are about equally fast, from the same latencies. */
    static boolean againstBalancing(double leastNs, double mostNs) {
        return mostNs <= ALIKE * leastNs || mostNs < WORTH_IT_NS;
    }
}
