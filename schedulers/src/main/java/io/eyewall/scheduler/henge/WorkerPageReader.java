package io.eyewall.scheduler.henge;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Reads pages from the endpoints of workers. */
@FunctionalInterface
interface WorkerPageReader {

    /** Reads pages, all at once. A page that cannot be read in time is missing from the result. */
    Map<URI, String> read(Set<URI> pages);

    /** The address of a page of the worker on a port of a host. */
    static URI uri(String host, int port, String page) {
        return URI.create("http://" + (host.contains(":") ? '[' + host + ']' : host) + ':' + port + page);
    }

    /** Over HTTP. */
    static WorkerPageReader overHttp() {
        Duration timeout = Duration.ofSeconds(5);
        int maxBytes = 16 << 20;
        HttpClient client = HttpClient.newBuilder().connectTimeout(timeout).build();
        return pages -> {
            Map<URI, CompletableFuture<String>> requests = new HashMap<>();
            pages.forEach(page -> requests.put(page, client
                .sendAsync(HttpRequest.newBuilder(page).timeout(timeout).build(), HttpResponse.BodyHandlers.ofInputStream())
                .thenApply(response -> response.statusCode() == 200 ? text(response.body(), maxBytes) : null)
                .completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(failure -> null)));
            Map<URI, String> texts = new HashMap<>();
            requests.forEach((page, request) -> {
                String text = request.join();
                if (text != null) {
                    texts.put(page, text);
                }
            });
            return texts;
        };
    }

    /** The text of a response, or null if it is too long for a page of a worker. */
    private static String text(InputStream body, int maxBytes) {
        try (body) {
            byte[] bytes = body.readNBytes(maxBytes + 1);
            return bytes.length > maxBytes ? null : new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return null;
        }
    }
}
