package io.eyewall.web.profile;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.awaitility.Awaitility;

/** Makes a recording of this JVM, in which a thread with the name of an executor's does some work. */
public final class SampledWork {

    @SuppressWarnings("UnusedVariable")
    private static volatile long work;

    private SampledWork() {
    }

    /** Writes a recording that has samples of the component's executor, all of them within {@link #spinUntil}. */
    public static void record(Path file, String component) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread executor = new Thread(() -> spinUntil(over), "Thread-7-" + component + "-executor[3, 3]");
        executor.start();
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(200)).until(() -> {
                recording.dump(file);
                FlameGraph graph = new FlameGraph();
                graph.add(file, Optional.of(component), Optional.empty());
                return graph.samples() > 0;
            });
        } finally {
            over.set(true);
            executor.join();
        }
    }

    static void spinUntil(AtomicBoolean over) {
        long rounds = 0;
        while (!over.get()) {
            rounds++;
            work = rounds;
        }
    }
}
