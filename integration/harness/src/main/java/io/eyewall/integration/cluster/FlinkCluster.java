package io.eyewall.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.shade.org.apache.commons.io.FileUtils;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A Flink cluster of real processes that runs one job. Closing it, or the end of this JVM except by {@code kill -9}, kills all processes.
 * State and logs stay until the next cluster in the directory. For one thread.
 */
public final class FlinkCluster implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final FlinkLayout layout;
    private final Daemon jobManager;
    private final List<Daemon> taskManagers = new ArrayList<>();
    private final Thread shutdownHook = new Thread(this::end, "end of the Flink cluster");

    private FlinkCluster(FlinkLayout layout) {
        this.layout = layout;
        jobManager = new Daemon("jobmanager", layout.jobManager(), layout.directory(), logs());
        for (int number = 1; number <= layout.job().taskManagers(); number++) {
            taskManagers.add(new Daemon("taskmanager-" + number, layout.taskManager(number), layout.directory(), logs()));
        }
    }

    /** Deletes what an earlier cluster left in the directory, and starts all processes; does not wait until the job runs. */
    public static FlinkCluster startAnew(FlinkHome home, Path directory, FlinkJob job) {
        FlinkLayout layout = new FlinkLayout(home, directory, job, Ports.free(), Ports.free());
        try {
            FileUtils.deleteDirectory(directory.toFile());
            Files.createDirectories(directory);
            Files.write(directory.resolve("config.yaml"),
                layout.configuration().entrySet().stream().map(entry -> entry.getKey() + ": " + entry.getValue()).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write to " + directory, e);
        }
        FlinkCluster cluster = new FlinkCluster(layout);
        Runtime.getRuntime().addShutdownHook(cluster.shutdownHook);
        cluster.jobManager.start();
        cluster.taskManagers.forEach(Daemon::start);
        return cluster;
    }

    /** The JVMs of the TaskManagers that run. */
    public List<WorkerProcess> taskManagers() {
        return taskManagers.stream().filter(Daemon::isAlive)
            .map(daemon -> new WorkerProcess(daemon.pid(), layout.job().workload(), "flink", layout.rpcPort(), daemon.name())).toList();
    }

    /** Waits until the condition holds; throws {@link ClusterException} after two minutes, or when a process or the job ends. */
    public void await(String what, RunningCluster.Condition condition) {
        try {
            Awaitility.await().pollDelay(Duration.ZERO).pollInterval(POLL_INTERVAL).atMost(TIMEOUT).until(() -> {
                requireAlive();
                return condition.holds();
            });
        } catch (ConditionTimeoutException e) {
            throw new ClusterException("Not within " + TIMEOUT.toSeconds() + " s: " + what + ". Logs are in " + logs() + ".", e);
        }
    }

    /** How many checkpoints the job has completed. One that fails while all tasks run fails the job, which {@link #await} reports. */
    public long completedCheckpoints() throws IOException, InterruptedException {
        return FlinkAnswers.completedCheckpoints(get("/jobs/" + FlinkAnswers.job(get("/jobs")) + "/checkpoints"));
    }

    /** What the processes print. */
    public Path logs() {
        return layout.directory().resolve("logs");
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException shuttingDown) {
            // The hook runs already, or has run, and has nothing left to do.
            return;
        }
    }

    /** A JobManager ends with its job, which fails rather than ends. */
    private void requireAlive() {
        for (Daemon daemon : daemons()) {
            if (!daemon.isAlive()) {
                throw new ClusterException("Flink's " + daemon.name() + " has ended. "
                    + ClusterLogs.end(logs().resolve(daemon.name() + ".out")));
            }
        }
    }

    private List<Daemon> daemons() {
        List<Daemon> all = new ArrayList<>(taskManagers);
        all.add(jobManager);
        return all;
    }

    private void end() {
        daemons().forEach(Daemon::kill);
    }

    private String get(String path) throws IOException, InterruptedException {
        URI address = URI.create("http://localhost:" + layout.restPort() + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(address).timeout(TIMEOUT).build(),
            HttpResponse.BodyHandlers.ofString()).body();
    }
}
