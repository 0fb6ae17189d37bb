package io.eyewall.tail.command;

import io.eyewall.tail.recording.HopKey;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The values of one worker since it started, as its endpoint reports them.
 *
 * @param topologyId the topology of the worker
 * @param time the time of the snapshot, on the worker's clock
 * @param figures by hop
 */
record WorkerSnapshot(String topologyId, Instant time, Map<HopKey, HopFigures> figures) {

    private static final String MAGIC = "eyewall-latency";
    private static final String VERSION = "1";

    /**
     * Reads an endpoint's response: the line {@code eyewall-latency 1 <topologyId> <epochMs>}, and for each hop its tag, error bound in
     * nanoseconds, number of dropped values and compressed histogram in base 64, separated by tabs.
     *
     * @throws IllegalArgumentException the message says what is wrong, and in which line
     */
    static WorkerSnapshot parse(String answer) {
        Iterator<String> lines = answer.lines().iterator();
        String first = lines.hasNext() ? lines.next() : "";
        String[] header = first.split(" ", 3);
        if (header.length < 2 || !header[0].equals(MAGIC)) {
            throw new IllegalArgumentException("something other than latencies");
        }
        if (!header[1].equals(VERSION)) {
            throw new IllegalArgumentException("format " + header[1] + " and not " + VERSION + ", of another version of Eyewall");
        }
        int idLength = header.length == 3 ? header[2].lastIndexOf(' ') : -1; // The name of a topology may contain blanks.
        if (idLength < 1 || !header[2].substring(idLength + 1).matches("\\d{1,15}")) {
            throw new IllegalArgumentException("a first line that cannot be read");
        }
        Instant time = Instant.ofEpochMilli(Long.parseLong(header[2].substring(idLength + 1)));
        Map<HopKey, HopFigures> figures = new HashMap<>();
        for (int number = 2; lines.hasNext(); number++) {
            String line = lines.next();
            try {
                String[] parts = line.split("\t", -1);
                if (parts.length != 4) {
                    throw new IllegalArgumentException(parts.length + " columns instead of 4");
                }
                HopKey key = HopKey.ofTag(parts[0]);
                HopFigures hop = new HopFigures(histogram(parts[3]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
                figures.merge(key, hop, HopFigures::plus);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("in line " + number + " " + e.getMessage(), e);
            }
        }
        return new WorkerSnapshot(header[2].substring(0, idLength), time, figures);
    }

    /**
     * The values since {@code earlier}. If the worker has started again since then, these are all its values.
     */
    WorkerSnapshot since(WorkerSnapshot earlier) {
        Map<HopKey, HopFigures> differences = new HashMap<>(figures);
        for (Map.Entry<HopKey, HopFigures> before : earlier.figures.entrySet()) {
            HopFigures now = figures.get(before.getKey());
            if (now == null || !now.continues(before.getValue())) {
                return this;
            }
            differences.put(before.getKey(), now.since(before.getValue()));
        }
        return new WorkerSnapshot(topologyId, time, differences);
    }

    private static Histogram histogram(String base64) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("a histogram that cannot be read", e);
        }
    }
}
