package io.eyewall.scheduler.henge;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/**
 * The CPU loads of machines, from the pages of one worker of each. They are means over between half of the time to settle and all of it, so
 * that a moment does not decide, and so that the time before a step does not count when the step is judged. If a page
 * cannot be read, its last load holds for as long as the last latencies do. Not thread-safe.
 */
final class MachineLoads {

    private static final String FORMAT = "eyewall-host 1 ";
    private static final int FIELDS = 3;
    /** The load of a shorter time says little, in milliseconds. */
    private static final long MIN_MEASURED_MS = 1_000;

    private final long settleMs;
    private final Map<URI, SlidingWindow<Read>> windows = new HashMap<>();
    private final Map<URI, Shown> last = new HashMap<>();

    /** {@code settleMs} is how long the cluster is left alone after a step, in milliseconds. */
    MachineLoads(long settleMs) {
        this.settleMs = settleMs;
    }

    /**
     * What a page says.
     *
     * @param load the load since the page was read before, by whomever; NaN if it is unknown
     * @param busyMs for how long all cores were busy since the worker started, in milliseconds
     * @param measuredMs the time for which that is known, in milliseconds
     */
    private record Read(double load, long busyMs, long measuredMs) {

        boolean continues(Read earlier) {
            return busyMs >= earlier.busyMs && measuredMs >= earlier.measuredMs;
        }
    }

    /** The load that a page showed when it was last read. */
    private record Shown(double load, long timeMs) {
    }

    /**
     * The loads that are known, by machine id: 1 if all cores are busy. To be called once in each round.
     *
     * @param pages the page of each machine, by machine id
     * @param texts the texts of those that could be read
     * @param nowMs the time, in milliseconds
     */
    Map<String, Double> of(Map<String, URI> pages, Map<URI, String> texts, long nowMs) {
        windows.keySet().retainAll(pages.values());
        last.keySet().retainAll(pages.values());
        Map<String, Double> loads = new HashMap<>();
        pages.forEach((machine, page) -> {
            if (texts.containsKey(page)) {
                last.put(page, new Shown(load(page, texts.get(page), nowMs), nowMs));
            }
            Shown shown = last.get(page);
            if (shown != null && shown.load >= 0 && shown.load <= 1 && nowMs - shown.timeMs <= RecordedLatencies.LAST_PAGE_MS) {
                loads.put(machine, shown.load);
            }
        });
        return loads;
    }

    /** The load that a page shows; NaN if it is unknown. */
    private double load(URI page, String text, long nowMs) {
        String[] fields = text.startsWith(FORMAT) ? text.substring(FORMAT.length()).strip().split(" ", -1) : new String[0];
        try {
            if (fields.length == FIELDS) {
                return mean(page, new Read(number(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2])), nowMs);
            }
            windows.remove(page);
            // Workers of earlier versions have no times.
            return fields.length == 1 ? number(fields[0]) : Double.NaN;
        } catch (NumberFormatException e) {
            windows.remove(page);
            return Double.NaN;
        }
    }

    private double mean(URI page, Read now, long nowMs) {
        // A worker that has started again measures from its start.
        Read before = windows.computeIfAbsent(page, worker -> new SlidingWindow<>(settleMs)).baseline(now, nowMs, now::continues)
            .orElse(new Read(now.load, 0, 0));
        long measuredMs = now.measuredMs - before.measuredMs;
        return measuredMs >= MIN_MEASURED_MS ? Math.min(1, (double) (now.busyMs - before.busyMs) / measuredMs) : before.load;
    }

    private static double number(String field) {
        return field.equals("unknown") ? Double.NaN : Double.parseDouble(field);
    }
}
