package io.eyewall.core.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a worker says about its JVM and the latencies of messages since it started. Immutable.
 *
 * @param timeMs since 1970, on the worker's clock
 * @param heapUsedBytes how much heap is in use
 * @param heapMaxBytes how much may be
 * @param cpuMs CPU time of the process
 * @param gcMs time in garbage collections
 * @param latencies compressed histograms in base 64, by measuring point and component, with a tab between them
 */
public record WorkerFigures(long timeMs, long heapUsedBytes, long heapMaxBytes, long cpuMs, long gcMs, Map<String, String> latencies) {

    /** The page that has them. */
    public static final String PAGE = "/worker";

    private static final String FORMAT = "eyewall-worker 1 ";
    private static final int COLUMNS = 4;

    /**
     * Reads a worker's page: the line {@code eyewall-worker 1 <topologyId> <epochMs>}, a line of bytes used and allowed and milliseconds of
     * CPU and garbage collection, and a line for each point and component with its histogram; separated by tabs.
     *
     * @throws IllegalArgumentException the message says what is wrong
     */
    public static WorkerFigures parse(String page, String topologyId) {
        List<String> lines = page.lines().toList();
        if (lines.size() < 2 || !lines.get(0).startsWith(FORMAT + topologyId + " ")) {
            throw new IllegalArgumentException("it returned something other than what it uses; it may be of another version of Eyewall, or"
                + " of another topology");
        }
        try {
            List<Long> numbers = new ArrayList<>();
            for (String number : lines.get(1).split("\t", -1)) {
                numbers.add(Long.valueOf(number));
            }
            Map<String, String> latencies = new HashMap<>();
            for (String line : lines.subList(2, lines.size())) {
                int end = line.lastIndexOf('\t');
                latencies.put(line.substring(0, end), line.substring(end + 1));
            }
            if (numbers.size() != COLUMNS) {
                throw new NumberFormatException(numbers.size() + " columns");
            }
            return new WorkerFigures(Long.parseLong(lines.get(0).substring(FORMAT.length() + topologyId.length() + 1)), numbers.get(0),
                numbers.get(1), numbers.get(2), numbers.get(3), latencies);
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            throw new IllegalArgumentException("it returned a page that cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whether another page is an earlier one of the same process. */
    public boolean follows(WorkerFigures before) {
        return before != null && before.cpuMs <= cpuMs && before.gcMs <= gcMs && before.timeMs < timeMs;
    }
}
