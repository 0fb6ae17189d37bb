package io.eyewall.transport.fabric;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.netty.BackPressureStatus;

/** What a {@link FabricServer} tells each {@link FabricClient}: how busy its tasks are, and which of them must be spared. */
final class FeedbackMessages {

    /** The address of messages with the load of each task. */
    static final int LOADS = 1;
    /** The address of messages with the tasks that are under back-pressure, and those that are not. */
    static final int BACK_PRESSURE = 2;

    private FeedbackMessages() {
    }

    static byte[] encodeLoads(Map<Integer, Double> loads) {
        byte[] bytes = new byte[Integer.BYTES + loads.size() * (Integer.BYTES + Double.BYTES)];
        ByteBuffer message = over(bytes).putInt(loads.size());
        loads.forEach((task, load) -> message.putInt(task).putDouble(load));
        return bytes;
    }

    /** Reads the loads of tasks; what is damaged throws {@link IllegalArgumentException}. */
    static Map<Integer, Double> decodeLoads(ByteBuffer bytes) {
        try {
            int count = bytes.getInt();
            Map<Integer, Double> loads = new HashMap<>();
            for (int i = 0; i < count; i++) {
                loads.put(bytes.getInt(), bytes.getDouble());
            }
            return loads;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("A message with loads is too short", e);
        }
    }

    static byte[] encode(BackPressureStatus status) {
        byte[] bytes = new byte[(2 + size(status.bpTasks) + size(status.nonBpTasks)) * Integer.BYTES];
        ByteBuffer message = over(bytes);
        put(message, status.bpTasks);
        put(message, status.nonBpTasks);
        return bytes;
    }

    /** Sets the flags of the tasks named; flags beyond the array belong to tasks that are not known yet. */
    static void apply(ByteBuffer bytes, AtomicBoolean[] underBackPressure) {
        try {
            set(bytes, underBackPressure, true);
            set(bytes, underBackPressure, false);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("A message with back-pressure is too short", e);
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

    /** In the order in which links hand messages over. */
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
