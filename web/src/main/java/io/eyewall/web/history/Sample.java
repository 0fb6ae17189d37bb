package io.eyewall.web.history;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A topology at one time.
 *
 * @param timeSecs since 1970
 * @param reportSecs how often its workers report figures
 * @param status as Nimbus names it
 * @param workers how many it has
 * @param components by their ids, without Storm's own
 */
record Sample(long timeSecs, int reportSecs, String status, int workers, SortedMap<String, Component> components) {

    /**
     * A spout or bolt at that time.
     *
     * @param capacity Storm's: the share of the last ten minutes in which its busiest executor executed; 0 for spouts
     * @param readSecs when the counters were read: earlier than the sample if there was no report of the component then
     */
    record Component(boolean spout, int executors, double capacity, long readSecs, Counters counters) {
    }

    /** This sample in the place of one before it: the same, with the highest capacities of both. */
    Sample inPlaceOf(Sample before) {
        SortedMap<String, Component> highest = new TreeMap<>(components);
        highest.replaceAll((id, now) -> {
            Component then = before.components.get(id);
            return then == null || then.capacity <= now.capacity ? now
                : new Component(now.spout, now.executors, then.capacity, now.readSecs, now.counters);
        });
        return new Sample(timeSecs, reportSecs, status, workers, highest);
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
            return new Sample(timeSecs, reportSecs, status, workers, components);
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
