package io.eyewall.integration.system;

import io.eyewall.integration.cluster.ClusterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/**
 * A cluster of pods that {@code podman play kube} makes of the manifests for Kubernetes, on a network of its own. Closing it removes the
 * pods, the claims and the network. Logs of pods that are gone lie in {@code directory}.
 */
final class PodCluster implements AutoCloseable {

    /** Long, since a busy machine may need minutes for what takes seconds elsewhere; it is reached only when something is wrong. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final String CONNECT = "import socket, sys; socket.create_connection(('localhost', int(sys.argv[1])), 5)";
    private static final String GET = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=30).read().decode())";

    private final KubernetesPods manifests;
    private final Path directory;
    private final String network = "eyewall-" + ProcessHandle.current().pid();
    private final Map<String, KubernetesPods.Pod> running = new LinkedHashMap<>();
    private final Set<String> claims = new LinkedHashSet<>();

    private record Outcome(int exitCode, String output) {
    }

    /** A cluster without pods. */
    PodCluster(KubernetesPods manifests, Path directory) {
        this.manifests = manifests;
        this.directory = directory;
        podman("network", "create", network);
    }

    /** Whether there is a podman that makes pods; Docker does not play Kubernetes' YAML. */
    static boolean isAvailable() {
        String pod = "eyewall-" + ProcessHandle.current().pid();
        try {
            boolean made = execute(List.of("podman", "pod", "create", pod)).exitCode == 0;
            execute(List.of("podman", "pod", "rm", "--force", pod));
            return made;
        } catch (UncheckedIOException none) {
            return false;
        }
    }

    /** Plays a pod of the StatefulSet or Deployment {@code set}, which {@code file} of the manifests describes. */
    void start(String file, String set, int number) {
        String name = set + "-" + number;
        List<String> claimed = manifests.claims(Path.of(file), name);
        KubernetesPods.Pod pod = manifests.pod(Path.of(file), set, number, claims.containsAll(claimed));
        Path played = directory.resolve(name + ".yaml");
        try {
            Files.writeString(played, pod.yaml());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + played, e);
        }
        running.put(name, pod);
        claims.addAll(claimed);
        podman("play", "kube", "--network", network + ":alias=" + String.join(",alias=", pod.names()), played.toString());
    }

    /** Waits until the port of each pod's readiness probe answers. */
    void awaitReady() {
        running.values().forEach(pod -> await(pod.name() + " is ready",
            () -> execute(exec(pod, "python3", "-c", CONNECT, Integer.toString(pod.port()))).exitCode == 0));
    }

    /** Runs a command in a pod; returns what it printed. Throws {@link ClusterException} if it fails. */
    String run(String name, String... command) {
        return checked(exec(pod(name), command));
    }

    /** What a pod serves at an address, which begins with the port; empty if it returns an error. */
    String get(String name, String address) {
        Outcome outcome = execute(exec(pod(name), "python3", "-c", GET, "http://localhost:" + address));
        return outcome.exitCode == 0 ? outcome.output : "";
    }

    /** Ends all processes of a pod at once, and removes it without its claim. */
    void kill(String name) {
        podman("pod", "kill", name);
        remove(name);
    }

    /** Removes a pod as Kubernetes does: runs its preStop, and then ends it. Returns what the preStop printed. */
    String delete(String name) {
        KubernetesPods.Pod pod = pod(name);
        String printed = run(name, pod.preStop().toArray(String[]::new));
        podman("pod", "stop", "--time", "60", name);
        String exitCode = podman("inspect", "--format", "{{.State.ExitCode}}", pod.container()).strip();
        remove(name);
        if ("137".equals(exitCode)) {
            throw new ClusterException(name + " did not end by itself; its log is in " + directory);
        }
        return printed;
    }

    /** Waits until the condition holds; throws after five minutes. */
    void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what + "; logs are in " + directory).pollDelay(Duration.ZERO).pollInterval(POLL_INTERVAL).atMost(TIMEOUT)
            .until(condition);
    }

    @Override
    public void close() {
        List.copyOf(running.keySet()).forEach(this::remove);
        claims.forEach(claim -> execute(List.of("podman", "volume", "rm", "--force", claim)));
        // Podman keeps a ConfigMap as a volume, too.
        execute(List.of("podman", "volume", "rm", "--force", KubernetesPods.CONFIGURATION));
        execute(List.of("podman", "network", "rm", "--force", network));
    }

    private void remove(String name) {
        KubernetesPods.Pod pod = Objects.requireNonNull(running.remove(name));
        try {
            Files.writeString(directory.resolve(name + ".log"), execute(List.of("podman", "logs", pod.container())).output);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot keep the log of " + name, e);
        }
        execute(List.of("podman", "pod", "rm", "--force", "--time", "0", name));
    }

    private KubernetesPods.Pod pod(String name) {
        return Objects.requireNonNull(running.get(name), () -> "there is no pod " + name);
    }

    private static List<String> exec(KubernetesPods.Pod pod, String... command) {
        List<String> line = new ArrayList<>(List.of("podman", "exec", pod.container()));
        line.addAll(List.of(command));
        return line;
    }

    private static String podman(String... arguments) {
        List<String> line = new ArrayList<>(List.of("podman"));
        line.addAll(List.of(arguments));
        return checked(line);
    }

    private static String checked(List<String> line) {
        Outcome outcome = execute(line);
        if (outcome.exitCode != 0) {
            throw new ClusterException(String.join(" ", line) + " failed: " + outcome.output);
        }
        return outcome.output;
    }

    private static Outcome execute(List<String> line) {
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run " + line, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while this ran: " + line, e);
        }
    }
}
