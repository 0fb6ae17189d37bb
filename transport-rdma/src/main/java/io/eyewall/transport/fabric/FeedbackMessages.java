package io.eyewall.transport.fabric;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.netty.BackPressureStatus;

/**
 * Encodes and decodes the messages that a {@link FabricServer} sends back to each {@link FabricClient}: the loads of its tasks, and which
 * of them are under back-pressure.
 */
final class FeedbackMessages {

    /** The address of messages that hold the load of each task. */
    static final int LOADS = 1;
    /** The address of messages that hold the tasks under back-pressure, and those no longer under it. */
    static final int BACK_PRESSURE = 2;

    private FeedbackMessages() {
    }

    static byte[] encodeLoads(Map<Integer, Double> loads) {
        byte[] bytes = new byte[Integer.BYTES + loads.size() * (Integer.BYTES + Double.BYTES)];
        ByteBuffer message = over(bytes).putInt(loads.size());
        loads.forEach((task, load) -> message.putInt(task).putDouble(load));
        return bytes;
    }

    /**
     * Decodes the loads of tasks.
     *
     * @throws IllegalArgumentException if the message is too short
     */
    static Map<Integer, Double> decodeLoads(ByteBuffer bytes) {
        try {
            int count = bytes.getInt();
            Map<Integer, Double> loads = new HashMap<>();
            for (int i = 0; i < count; i++) {
                loads.put(bytes.getInt(), bytes.getDouble());
            }
            return loads;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("The message with the loads of tasks is too short", e);
        }
    }

    static byte[] encode(BackPressureStatus status) {
        byte[] bytes = new byte[(2 + size(status.bpTasks) + size(status.nonBpTasks)) * Integer.BYTES];
        ByteBuffer message = over(bytes);
        put(message, status.bpTasks);
        put(message, status.nonBpTasks);
        return bytes;
    }

    /**
     * Decodes a back-pressure status and sets the flags of its tasks. Ignores tasks beyond the array, which are not known here yet.
     *
     * @throws IllegalArgumentException if the message is too short
     */
    static void apply(ByteBuffer bytes, AtomicBoolean[] underBackPressure) {
        try {
            set(bytes, underBackPressure, true);
            set(bytes, underBackPressure, false);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("The message with the back-pressure status is too short", e);
        }
    }

    private static void set(ByteBuffer bytes, AtomicBoolean[] flags, boolean value) {
        int count = bytes.getInt();
        for (int i = 0; i < count; i++) {
            int task = bytes.getInt();
            if (task >= 0 && task < flags.length) {
                flags[task].set(value);
            }
        }
    }

    /** A buffer in the byte order in which links deliver messages. */
    private static ByteBuffer over(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int size(Collection<Integer> tasks) {
        return tasks == null ? 0 : tasks.size();
    }

    private static void put(ByteBuffer bytes, Collection<Integer> tasks) {
        bytes.putInt(size(tasks));
        if (tasks != null) {
            tasks.forEach(bytes::putInt);
        }
    }
}
