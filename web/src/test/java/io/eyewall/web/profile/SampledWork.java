package io.eyewall.web.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.awaitility.Awaitility;

/** Makes a recording of this JVM, in which a thread with the name of an executor's does some work, allocates and waits for a lock. */
public final class SampledWork {

    private static final Object LOCK = new Object();
    private static final int ROUNDS = 1 << 20;
    private static final int BYTES = 1 << 16;
    private static final long HELD_NS = TimeUnit.MILLISECONDS.toNanos(30);

    @SuppressWarnings("UnusedVariable")
    private static volatile long work;
    @SuppressWarnings("UnusedVariable")
    private static volatile byte[] allocated;

    private SampledWork() {
    }

    /** Writes a recording that has everything of the component's executor, all of it within {@link #spinUntil}. */
    public static void record(Path file, String component) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread executor = new Thread(() -> spinUntil(over), "Thread-7-" + component + "-executor[3, 3]");
        Thread other = new Thread(() -> holdUntil(over), "other");
        executor.start();
        other.start();
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(200)).until(() -> {
                recording.dump(file);
                return !isEmpty(file, Sampled.CPU, component) && !isEmpty(file, Sampled.LOCK, component)
                    && !isEmpty(file, Sampled.ALLOC, component);
            });
        } finally {
            over.set(true);
            executor.join();
            other.join();
        }
    }

    private static boolean isEmpty(Path file, Sampled sampled, String component) throws IOException {
        FlameGraph graph = new FlameGraph(sampled);
        graph.add(file, Optional.of(component), Optional.empty());
        return graph.isEmpty();
    }

    static void spinUntil(AtomicBoolean over) {
        long rounds = 0;
        while (!over.get()) {
            rounds++;
            if (rounds % ROUNDS == 0) {
                synchronized (LOCK) {
                    allocated = new byte[BYTES];
                }
            }
            work = rounds;
        }
    }

    private static void holdUntil(AtomicBoolean over) {
        while (!over.get()) {
            synchronized (LOCK) {
                LockSupport.parkNanos(HELD_NS);
            }
            LockSupport.parkNanos(HELD_NS);
        }
    }
}
