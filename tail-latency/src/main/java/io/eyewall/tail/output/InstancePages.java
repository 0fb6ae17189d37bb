package io.eyewall.tail.output;

import io.eyewall.client.stream.container.ContainerFeature.Members;
import io.eyewall.client.stream.manager.StreamManagerMain;
import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.slot.ProcessFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the processes of a container for a page, all instances at once, and waits for a few seconds at most. Safe for any thread. */
final class InstancePages {

    private static final Logger LOG = LoggerFactory.getLogger(InstancePages.class);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int OK = 200;
    private static final int MAX_PORT = 65_535;
    private static final String HOST = host(InetAddress.getLoopbackAddress().getHostAddress());

    private final Members members;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    InstancePages(Members members) {
        this.members = members;
    }

    /** The page of each instance, except instances that have none at the moment or return one that does not begin like that. */
    SortedMap<Instance, Optional<String>> ask(String path, String begin) {
        SortedMap<Instance, CompletableFuture<Optional<String>>> pending = new TreeMap<>(Comparator.comparingInt(Instance::id));
        members.instances().forEach(instance -> pending.put(instance, request(instance.name(), path)));
        SortedMap<Instance, Optional<String>> answers = new TreeMap<>(Comparator.comparingInt(Instance::id));
        pending.forEach((instance, answer) -> answers.put(instance, answer.join().filter(page -> page.startsWith(begin))));
        return answers;
    }

    /** The page of the stream manager. */
    Optional<String> askStreamManager(String path, String begin) {
        return request(StreamManagerMain.NAME, path).join().filter(page -> page.startsWith(begin));
    }

    private CompletableFuture<Optional<String>> request(String process, String path) {
        return port(process).map(port -> request(process, port, path)).orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
    }

    private CompletableFuture<Optional<String>> request(String process, int port, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + HOST + ':' + port + path)).timeout(PATIENCE).build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).handle((response, failure) -> {
            if (failure != null || response.statusCode() != OK) {
                LOG.debug("The process {} has no page {}", process, path, failure);
                return Optional.empty();
            }
            return Optional.of(response.body());
        });
    }

    private static String host(String address) {
        return address.contains(":") ? '[' + address + ']' : address;
    }

    /** Where a process serves its figures. One that has just ended has left its port behind. */
    private Optional<Integer> port(String process) {
        try {
            return ProcessFile.read(members.directory(process).resolve(ProcessFile.FIGURES_PORT)).map(Integer::valueOf)
                .filter(port -> port > 0 && port <= MAX_PORT);
        } catch (IOException | NumberFormatException e) {
            LOG.debug("Cannot read where the process {} serves its figures", process, e);
            return Optional.empty();
        }
    }
}
