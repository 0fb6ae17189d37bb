package io.eyewall.web.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.storm.utils.Utils;

/** A logviewer on a free port, with the logs of two topologies below a directory of the test's. */
final class RunningLogviewer implements AutoCloseable {

    static final String MINE = "mine-1-1/6700/";
    static final String OTHERS = "others-2-2/6701/";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    final Path logs;
    final Path workers;
    private final LogviewerServer server;
    private final String address;

    /** A clock of the test's own, by which searches end. */
    RunningLogviewer(Path directory, NanoClock clock, Map<String, Object> settings) throws Exception {
        logs = Files.createDirectories(directory.resolve("logs"));
        workers = Files.createDirectories(logs.resolve("workers-artifacts"));
        write(logs.resolve("nimbus.log"), "nimbus has started\n");
        write(workers.resolve(MINE + "worker.log"), "one line\ntwo <b>lines</b>\n");
        write(workers.resolve(MINE + "worker.log.1.gz"), "an old line\n");
        write(workers.resolve(MINE + "worker.yaml"), description("sue", "[bert]", "[crew]"));
        write(workers.resolve(MINE + "recording.jfr"), "FLR");
        write(workers.resolve(OTHERS + "worker.log"), "a line of others\n");
        write(workers.resolve(OTHERS + "worker.yaml"), description("otto", "[]", "[]"));
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(Map.of("logviewer.host", "localhost", "logviewer.port", 0, "nimbus.seeds", List.of("localhost")));
        conf.putAll(settings);
        server = new LogviewerServer(conf, new LogFiles(workers, logs), clock);
        server.start();
        address = server.addresses().get(0);
    }

    private static String description(String submitter, String users, String groups) {
        return "topology.submitter.user: " + submitter + "\nworker-id: w-1\nlogs.users: " + users + "\nlogs.groups: " + groups + "\n";
    }

    static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        if (file.toString().endsWith(".gz")) {
            try (OutputStream output = new GZIPOutputStream(Files.newOutputStream(file))) {
                output.write(text.getBytes(StandardCharsets.UTF_8));
            }
        } else {
            Files.writeString(file, text);
        }
    }

    String address() {
        return address;
    }

    JsonNode json(String path, String... headers) throws Exception {
        return JSON.readTree(get(path, headers).body());
    }

    /** An address below {@code /api/v1/}. */
    HttpResponse<String> get(String path, String... headers) throws Exception {
        return send("GET", "/api/v1/" + path, headers);
    }

    HttpResponse<String> send(String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        server.close();
    }
}
