package io.eyewall.client.hot;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A topology of the simulation: spouts send to relays, and these to sinks. Tasks are numbered in that order from 1.
 *
 * @param spouts how many tasks emit
 * @param relays how many tasks send on
 * @param sinks how many tasks count
 * @param messages how many messages each spout emits
 * @param queueTuples the size of an executor's queue
 * @param transferTuples the size of a worker's queue of outgoing tuples
 * @param acks whether sinks ack to the spouts
 * @param grouping how spouts choose among relays
 * @param relayMs how long a relay takes for a tuple
 * @param sinkMs how long a sink takes for a tuple
 * @param shared whether the relays' executors share their queue
 */
record SimPlan(int spouts, int relays, int sinks, int messages, int queueTuples, int transferTuples, boolean acks, Grouping grouping,
        int relayMs, int sinkMs, boolean shared) {

    /** The component whose executors may share their queue. */
    static final String RELAY = "relay";

    private static final int NUMBERS = 1_000_000;

    enum Grouping { SHUFFLE, FIELDS, LOCAL_OR_SHUFFLE }

    /** A topology that chance has made. */
    static SimPlan of(Random random, boolean shared) {
        return new SimPlan(1 + random.nextInt(2), 2 + random.nextInt(3), 1 + random.nextInt(2), 20 + random.nextInt(100),
            4 << random.nextInt(2), 4 << random.nextInt(2), random.nextInt(3) == 0, Grouping.values()[random.nextInt(3)],
            1 + random.nextInt(40), 1 + random.nextInt(40), shared);
    }

    int tasks() {
        return spouts + relays + sinks;
    }

    boolean isSpout(int task) {
        return task >= 1 && task <= spouts;
    }

    boolean isRelay(int task) {
        return task > spouts && task <= spouts + relays;
    }

    /** What a task does. */
    String component(int task) {
        return isSpout(task) ? "spout" : isRelay(task) ? RELAY : "sink";
    }

    /** The tasks of each component. */
    List<List<Integer>> components() {
        return List.of(IntStream.rangeClosed(1, spouts).boxed().toList(),
            IntStream.rangeClosed(spouts + 1, spouts + relays).boxed().toList(),
            IntStream.rangeClosed(spouts + relays + 1, tasks()).boxed().toList());
    }

    /** The number of a spout's message. */
    long message(int spout, int number) {
        return (long) spout * NUMBERS + number;
    }

    int spoutTask(long message) {
        return (int) (message / NUMBERS);
    }

    int sinkTask(long message) {
        return spouts + relays + 1 + (int) (message % sinks);
    }

    int relayTask(long message, Set<Integer> localTasks, Random random) {
        List<Integer> all = components().get(1);
        if (grouping == Grouping.FIELDS) {
            return all.get((int) (message % all.size()));
        }
        List<Integer> local = new ArrayList<>(all);
        if (grouping == Grouping.LOCAL_OR_SHUFFLE) {
            local.retainAll(localTasks);
        }
        List<Integer> among = local.isEmpty() ? all : local;
        return among.get(random.nextInt(among.size()));
    }

    long executeNs(int task) {
        return (isSpout(task) ? 0 : isRelay(task) ? relayMs : sinkMs) * SimSchedule.MS;
    }
}
