package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.integration.cluster.Ports;
import io.eyewall.integration.cluster.ProcessCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code storm ui} of the installation in a process of its own, in front of a cluster, and what it answers. */
final class UiProcess {

    private final Process process;
    private final String root;

    private UiProcess(Process process, String root) {
        this.process = process;
        this.root = root;
    }

    /** Starts it, with the client's settings in a directory, and waits until it listens. */
    static UiProcess start(ProcessCluster cluster, Path directory) throws IOException {
        return start(cluster, directory, "client.yaml", Map.of());
    }

    /** The same with the settings in another file of the directory, and with these variables of its environment. */
    static UiProcess start(ProcessCluster cluster, Path directory, String settings, Map<String, String> environment) throws IOException {
        int port = Ports.free();
        ProcessBuilder command = new ProcessBuilder(Installations.eyewall().root().resolve("bin").resolve("storm").toString(), "ui",
            "-c", "ui.host=localhost", "-c", "ui.port=" + port, "-c", "ui.childopts=" + StormCommand.smallJvm(),
            // Of its own, since one UI at a time keeps its history there.
            "-c", "storm.local.dir=" + directory.resolve("ui-local"));
        command.environment().put("STORM_CONF_FILE", directory.resolve(settings).toString());
        command.environment().putAll(environment);
        command.redirectErrorStream(true).redirectOutput(directory.resolve("ui.out").toFile());
        Process process = command.start();
        cluster.await("storm ui listens", () -> {
            assertTrue(process.isAlive(), "storm ui ended: see " + directory.resolve("ui.out"));
            return Ports.listens(port);
        });
        return new UiProcess(process, "http://localhost:" + port + "/");
    }

    /** The address of the pages. */
    String root() {
        return root;
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(root + "api/v1/" + path)).build());
    }

    /** What it answers to a browser, which shows the ticket of the user that this thread acts for if it is asked to. */
    Answer ask(String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create(root + "api/v1/" + path).toURL().openConnection();
        int status = connection.getResponseCode();
        try (InputStream text = status < HttpURLConnection.HTTP_BAD_REQUEST ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(status, text == null ? "" : new String(text.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** An answer to {@link #ask}. */
    record Answer(int status, String text) {
    }

    HttpResponse<String> post(String path, String body) {
        return send(HttpRequest.newBuilder(URI.create(root + "api/v1/" + path)).POST(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    void end() throws InterruptedException {
        process.destroy();
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "storm ui does not end when it is asked to");
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("No response to " + request, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + request, e);
        }
    }
}
