package io.eyewall.client.stream.manager;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.EventLoop;

/**
 * Hands what other containers send to the loop, in order. Threads of a transport wait while the loop has more than 8 MB still to take. What
 * comes on the loop's own thread is taken at once.
 */
final class Arrivals {

    /** How much other containers may have brought that the loop has not taken so far. */
    private static final long MAX_BYTES = 8L << 20;
    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final EventLoop loop;
    private final Consumer<List<TaskMessage>> taken;
    private final LoopGuard guard;
    private final AtomicLong waitingBytes = new AtomicLong();

    /** Everything is handed to {@code taken}, on the thread of the loop. If that fails, {@code guard} ends the process. */
    Arrivals(EventLoop loop, Consumer<List<TaskMessage>> taken, LoopGuard guard) {
        this.guard = guard;
        this.loop = loop;
        this.taken = taken;
    }

    /** Takes messages on a thread of their connection. */
    void add(List<TaskMessage> messages) {
        if (loop.inEventLoop()) {
            guard.guard(() -> taken.accept(messages)).run();
            return;
        }
        long bytes = messages.stream().mapToLong(Arrivals::bytes).sum();
        waitingBytes.addAndGet(bytes);
        loop.execute(guard.guard(() -> {
            waitingBytes.addAndGet(-bytes);
            taken.accept(messages);
        }));
        while (waitingBytes.get() > MAX_BYTES && !loop.isShuttingDown()) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** The length of a message. Transports make some without bytes as well. */
    static int bytes(TaskMessage message) {
        return message.message() == null ? 0 : message.message().length;
    }
}
