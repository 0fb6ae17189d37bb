package io.eyewall.core.pressure;

import java.util.ArrayList;
import java.util.List;

/**
 * The receive queue of an executor, as its worker describes it.
 *
 * @param component whose executor it is
 * @param firstTask the lowest of the executor's tasks
 * @param tasks how many it has
 * @param host where its worker runs
 * @param port of the worker
 * @param load which part of the queue is occupied, from 0 to 1
 * @param overflow how many tuples from other workers wait beside the full queue
 * @param fullMs for how long it has held its senders back; 0 if it does not
 */
public record ExecutorQueue(String component, int firstTask, int tasks, String host, int port, double load, int overflow, long fullMs) {

    /** The page of a worker that has them. */
    public static final String PAGE = "/queues";

    private static final String FORMAT = "eyewall-queues 1 ";
    private static final int COLUMNS = 6;

    /** Whether it holds its senders back. */
    public boolean isFull() {
        return fullMs > 0;
    }

    /** Where it runs, and with which tasks. */
    @Override
    public String toString() {
        return component + "[" + firstTask + (tasks == 1 ? "" : "-" + (firstTask + tasks - 1)) + "] at " + host + ":" + port;
    }

    /**
     * Reads a worker's page: the line {@code eyewall-queues 1 <topologyId> <epochMs>}, then a line for each executor with its component,
     * first task, number of tasks, load, overflow and time in milliseconds, separated by tabs.
     *
     * @throws IllegalArgumentException the message says what is wrong
     */
    public static List<ExecutorQueue> parse(String page, String topologyId, String host, int port) {
        List<String> lines = page.lines().toList();
        if (lines.isEmpty() || !lines.get(0).startsWith(FORMAT)) {
            throw new IllegalArgumentException("it returned something other than its queues; it may be of another version of Eyewall");
        }
        if (!lines.get(0).substring(FORMAT.length()).replaceFirst(" \\d+$", "").equals(topologyId)) {
            throw new IllegalArgumentException("another topology's worker has taken its place");
        }
        List<ExecutorQueue> queues = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] columns = line.split("\t", -1);
            try {
                if (columns.length != COLUMNS) {
                    throw new NumberFormatException(columns.length + " columns");
                }
                queues.add(new ExecutorQueue(columns[0], Integer.parseInt(columns[1]), Integer.parseInt(columns[2]), host, port,
                    Double.parseDouble(columns[3]), Integer.parseInt(columns[4]), Long.parseLong(columns[5])));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("it returned a line that cannot be read: " + line, e);
            }
        }
        return queues;
    }
}
