package io.eyewall.web.history;

import io.eyewall.core.watch.MessageLatencies.Percentiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A topology at one time.
 *
 * @param timeSecs since 1970
 * @param reportSecs how often its workers report figures
 * @param status as Nimbus names it
 * @param workers how many it has
 * @param components by their ids, without Storm's own
 * @param jvms of the workers that have said what they use, by HOST:PORT
 * @param latencies of the messages that ended in the step before; null if that is not known
 * @param queues of the components whose workers have described them
 * @param events what has happened since the sample before, except what other fields show
 */
record Sample(long timeSecs, int reportSecs, String status, int workers, SortedMap<String, Component> components,
        SortedMap<String, Jvm> jvms, Percentiles latencies, SortedMap<String, Queue> queues, List<Event> events) {

    private static final int MAX_EVENTS = 20;

    /** Without what workers say, and events. */
    Sample(long timeSecs, int reportSecs, String status, int workers, SortedMap<String, Component> components) {
        this(timeSecs, reportSecs, status, workers, components, new TreeMap<>(), null, new TreeMap<>(), List.of());
    }

    /**
     * A spout or bolt at that time.
     *
     * @param capacity Storm's: the share of the last ten minutes in which its busiest executor executed; 0 for spouts
     * @param readSecs when the counters were read: earlier than the sample if there was no report of the component then
     */
    record Component(boolean spout, int executors, double capacity, long readSecs, Counters counters) {
    }

    /**
     * The JVM of a worker at that time; the last two in the step before it, NaN if that is not known.
     *
     * @param heapUsedBytes how much heap is in use
     * @param heapMaxBytes how much may be
     * @param cpuCores how many cores it kept busy
     * @param gcShare which part of the time it collected garbage
     */
    record Jvm(long heapUsedBytes, long heapMaxBytes, double cpuCores, double gcShare) {

        private static Jvm highest(Jvm a, Jvm b) {
            return new Jvm(Math.max(a.heapUsedBytes, b.heapUsedBytes), Math.max(a.heapMaxBytes, b.heapMaxBytes),
                highestOf(a.cpuCores, b.cpuCores), highestOf(a.gcShare, b.gcShare));
        }
    }

    /**
     * The fullest queue of a component's executors.
     *
     * @param load which part of it is occupied, from 0 to 1
     * @param held for which part of the step before it has held its senders back
     */
    record Queue(double load, double held) {

        static Queue highest(Queue a, Queue b) {
            return new Queue(Math.max(a.load, b.load), Math.max(a.held, b.held));
        }
    }

    /** This sample in the place of one before it: the same, with the highest of all figures that are no counters, and all events. */
    Sample inPlaceOf(Sample before) {
        SortedMap<String, Component> highest = new TreeMap<>(components);
        highest.replaceAll((id, now) -> {
            Component then = before.components.get(id);
            return then == null || then.capacity <= now.capacity ? now
                : new Component(now.spout, now.executors, then.capacity, now.readSecs, now.counters);
        });
        SortedMap<String, Jvm> highestJvms = new TreeMap<>(jvms);
        highestJvms.replaceAll((worker, now) -> before.jvms.containsKey(worker) ? Jvm.highest(now, before.jvms.get(worker)) : now);
        Percentiles then = before.latencies;
        Percentiles longest = latencies == null || then == null ? (latencies == null ? then : latencies)
            : new Percentiles(Math.max(latencies.p50Ms(), then.p50Ms()), Math.max(latencies.p99Ms(), then.p99Ms()),
                Math.max(latencies.p999Ms(), then.p999Ms()), sum(then.counts(), latencies.counts()));
        SortedMap<String, Queue> fullest = new TreeMap<>(queues);
        before.queues.forEach((id, queue) -> fullest.merge(id, queue, Queue::highest));
        List<Event> all = Stream.concat(before.events.stream(), events.stream()).limit(MAX_EVENTS).toList();
        return new Sample(timeSecs, reportSecs, status, workers, highest, highestJvms, longest, fullest, all);
    }

    private static SortedMap<Integer, Long> sum(SortedMap<Integer, Long> a, SortedMap<Integer, Long> b) {
        SortedMap<Integer, Long> sum = new TreeMap<>(a);
        b.forEach((bucket, count) -> sum.merge(bucket, count, Long::sum));
        return sum;
    }

    private static double highestOf(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
    }

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream output = new DataOutputStream(bytes)) {
            output.writeLong(timeSecs);
            output.writeInt(reportSecs);
            output.writeUTF(status);
            output.writeInt(workers);
            output.writeInt(components.size());
            for (Map.Entry<String, Component> entry : components.entrySet()) {
                Component component = entry.getValue();
                output.writeUTF(entry.getKey());
                output.writeBoolean(component.spout);
                output.writeInt(component.executors);
                output.writeDouble(component.capacity);
                output.writeLong(component.readSecs);
                component.counters.write(output);
            }
            output.writeInt(jvms.size());
            for (Map.Entry<String, Jvm> entry : jvms.entrySet()) {
                output.writeUTF(entry.getKey());
                output.writeLong(entry.getValue().heapUsedBytes);
                output.writeLong(entry.getValue().heapMaxBytes);
                output.writeFloat((float) entry.getValue().cpuCores);
                output.writeFloat((float) entry.getValue().gcShare);
            }
            output.writeBoolean(latencies != null);
            if (latencies != null) {
                output.writeFloat((float) latencies.p50Ms());
                output.writeFloat((float) latencies.p99Ms());
                output.writeFloat((float) latencies.p999Ms());
            }
            output.writeInt(events.size());
            for (Event event : events) {
                output.writeUTF(event.kind());
                output.writeUTF(event.text());
            }
            output.writeInt(queues.size());
            for (Map.Entry<String, Queue> entry : queues.entrySet()) {
                output.writeUTF(entry.getKey());
                output.writeFloat((float) entry.getValue().load);
                output.writeFloat((float) entry.getValue().held);
            }
            SortedMap<Integer, Long> counts = latencies == null ? new TreeMap<>() : latencies.counts();
            output.writeByte(counts.size());
            for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
                output.writeByte(entry.getKey());
                output.writeInt((int) Math.min(Integer.MAX_VALUE, entry.getValue()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The sample that {@link #toBytes} has written; throws {@link UnreadableException} if these bytes are none. */
    static Sample of(byte[] bytes) {
        try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
            long timeSecs = input.readLong();
            int reportSecs = input.readInt();
            String status = input.readUTF();
            int workers = input.readInt();
            SortedMap<String, Component> components = new TreeMap<>();
            for (int left = input.readInt(); left > 0; left--) {
                components.put(input.readUTF(), new Component(input.readBoolean(), input.readInt(), input.readDouble(), input.readLong(),
                    Counters.read(input)));
            }
            // An earlier version has written no more than that.
            SortedMap<String, Jvm> jvms = new TreeMap<>();
            for (int left = input.available() == 0 ? 0 : input.readInt(); left > 0; left--) {
                jvms.put(input.readUTF(), new Jvm(input.readLong(), input.readLong(), input.readFloat(), input.readFloat()));
            }
            Percentiles latencies = input.available() > 0 && input.readBoolean()
                ? new Percentiles(input.readFloat(), input.readFloat(), input.readFloat()) : null;
            List<Event> events = new ArrayList<>();
            for (int left = input.available() == 0 ? 0 : input.readInt(); left > 0; left--) {
                events.add(new Event(input.readUTF(), input.readUTF()));
            }
            SortedMap<String, Queue> queues = new TreeMap<>();
            for (int left = input.available() == 0 ? 0 : input.readInt(); left > 0; left--) {
                queues.put(input.readUTF(), new Queue(input.readFloat(), input.readFloat()));
            }
            SortedMap<Integer, Long> counts = new TreeMap<>();
            for (int left = input.available() == 0 ? 0 : input.readUnsignedByte(); left > 0; left--) {
                counts.put(input.readUnsignedByte(), (long) input.readInt());
            }
            Percentiles all = latencies == null ? null
                : new Percentiles(latencies.p50Ms(), latencies.p99Ms(), latencies.p999Ms(), counts);
            return new Sample(timeSecs, reportSecs, status, workers, components, jvms, all, queues, events);
        } catch (IOException e) {
            throw new UnreadableException(e);
        }
    }

    /** That bytes of the store are no sample. */
    static final class UnreadableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private UnreadableException(IOException cause) {
            super("The history holds a sample that cannot be read.", cause);
        }
    }
}
