package io.eyewall.web.profile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.core.watch.WorkerAddress;
import io.eyewall.web.json.LogLinks;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Utils;

/** The files of workers: those of this host from its disk, those of others from their logviewers. Safe for any thread. */
final class WorkerFiles implements ProfileCommand.Source {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int HTTP_OK = 200;

    private final Map<String, Object> conf;
    private final LogLinks logviewers;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    WorkerFiles(Map<String, Object> conf) {
        this.conf = conf;
        logviewers = LogLinks.of(conf);
    }

    @Override
    public Set<String> names(String topologyId, WorkerAddress worker) throws IOException {
        Path directory = directory(topologyId, worker);
        if (isHere(directory, worker)) {
            try (Stream<Path> files = Files.list(directory)) {
                return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
            }
        }
        Set<String> names = new TreeSet<>();
        String query = "listLogs?topoId=" + Utils.urlEncodeUtf8(topologyId) + "&port=" + worker.port();
        try (InputStream answer = ask(worker, query)) {
            for (JsonNode name : JSON.readTree(answer)) {
                names.add(name.asText().substring(name.asText().lastIndexOf('/') + 1));
            }
        }
        return names;
    }

    @Override
    public void fetch(String topologyId, WorkerAddress worker, String name, Path to) throws IOException {
        Path directory = directory(topologyId, worker);
        if (isHere(directory, worker)) {
            Files.copy(directory.resolve(name), to, StandardCopyOption.REPLACE_EXISTING);
        } else {
            String file = Utils.urlEncodeUtf8(topologyId + "/" + worker.port() + "/" + name);
            try (InputStream answer = ask(worker, "download?file=" + file)) {
                Files.copy(answer, to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private Path directory(String topologyId, WorkerAddress worker) {
        return Path.of(ConfigUtils.workerArtifactsRoot(conf, topologyId, worker.port()));
    }

    /** A directory of that name may also be left from a worker that is on another host now. */
    private static boolean isHere(Path directory, WorkerAddress worker) throws IOException {
        return Files.isDirectory(directory) && Files.isReadable(directory)
            && NetworkInterface.getByInetAddress(InetAddress.getByName(worker.host())) != null;
    }

    private InputStream ask(WorkerAddress worker, String query) throws IOException {
        String logviewer = logviewers.scheme() + "://" + worker.host() + ":" + logviewers.port();
        HttpResponse<InputStream> response;
        try {
            response = client.send(HttpRequest.newBuilder(URI.create(logviewer + "/api/v1/" + query)).timeout(PATIENCE).build(),
                HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new IOException("no logviewer answers at " + logviewer + ". Start `storm logviewer` there, or run this command on that"
                + " host as a user who may read the logs.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for " + logviewer, e);
        }
        if (response.statusCode() == HTTP_OK) {
            return response.body();
        }
        try (InputStream body = response.body()) {
            throw new IOException("the logviewer at " + logviewer + " does not hand out recordings: " + message(body, response.statusCode())
                + " Run this command on that host as a user who may read the logs, or fetch the recording with a browser.");
        }
    }

    private static String message(InputStream body, int status) throws IOException {
        String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        try {
            return JSON.readTree(text).path("errorMessage").asText("status " + status + ".");
        } catch (JsonProcessingException notJson) {
            return "status " + status + ".";
        }
    }
}
