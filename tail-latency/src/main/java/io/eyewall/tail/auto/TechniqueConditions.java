package io.eyewall.tail.auto;

import java.util.concurrent.TimeUnit;

/**
 * When which technique helps: table 5.4 of Guangxiang Du's thesis, with numbers where it says high, moderate and much. Between what is for
 * a technique and what is against it is a band in which it stays as it is.
 * <ul>
 * <li>Adaptive timeout: "moderate or low system workload" and "utilization for queues". Up to 49 % of the hosts' CPU, from where on the
 * thesis found it of no use, and bolts that are busy for up to half of their time; no more from 60 % and two thirds on. Where no bolt has
 * anything to do, it stays as it is.</li>
 * <li>Shared queues: "≥ 2 tasks of the same operator in a worker process" and "high utilization for tasks' input queues": 60 % or more,
 * no more below 40 %. By the model of section 3.2 a tuple waits for 1.5 executions in the mean at 60 % with a queue for each, for 0.56
 * with one for two executors; at 40 % a queue for each costs two thirds of an execution.</li>
 * <li>Load balancing: "some tasks to be much slower than others of the same operator". Twice as slow; no more when they are within a fifth
 * of each other, the tolerance of Algorithm 2. Tasks that are all done within a millisecond are left alone: on such a scale they differ by
 * what else the machine does.</li>
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
     * @param cpu which part of the CPUs is busy, from 0 to 1, on the busiest host that is known; NaN if it is not known
     * @param utilisation of the busiest bolt that is known: for which part of their time its executors execute, in the mean
     */
    static boolean forAdaptiveTimeout(double cpu, double utilisation) {
        return utilisation > 0 && !(cpu > CPU_MODERATE) && utilisation <= QUEUES_MODERATE;
    }

    /** Whether it is too high for that. */
    static boolean againstAdaptiveTimeout(double cpu, double utilisation) {
        return utilisation >= QUEUES_HIGH || (utilisation > 0 && cpu >= CPU_HIGH);
    }

    /**
     * Whether the executors of a bolt should share a queue.
     *
     * @param executors how many there are in the worker
     * @param utilisation for which part of their time they execute, in the mean
     */
    static boolean forSharing(int executors, double utilisation) {
        return executors > 1 && utilisation >= SHARING_FROM;
    }

    /** Whether a queue for each will do. */
    static boolean againstSharing(double utilisation) {
        return utilisation < SHARING_TO;
    }

    /** Whether one task is so much slower than another, by the latencies of the fastest and the slowest. */
    static boolean forBalancing(double leastNs, double mostNs) {
        return mostNs >= WORTH_IT_NS && mostNs >= MUCH_SLOWER * leastNs;
    }

    /** Whether all tasks are alike. */
    static boolean againstBalancing(double leastNs, double mostNs) {
        return mostNs <= ALIKE * leastNs || mostNs < WORTH_IT_NS;
    }
}
