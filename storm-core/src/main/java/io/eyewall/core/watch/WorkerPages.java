package io.eyewall.core.watch;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the endpoints of workers for their pages, without waiting. Safe for any thread. */
public final class WorkerPages {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerPages.class);
    private static final int HTTP_OK = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 4 << 20;

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    /**
     * The text of a page, when the worker has sent it; empty if it has no such page. It ends with an error after ten seconds.
     *
     * @param host of the worker
     * @param port of the worker's endpoint
     * @param page with the slash
     */
    public CompletableFuture<String> ask(String host, int port, String page) {
        CompletableFuture<HttpResponse<InputStream>> sent;
        try {
            URI address = URI.create("http://" + (host.contains(":") ? '[' + host + ']' : host) + ':' + port + page);
            sent = client.sendAsync(HttpRequest.newBuilder(address).timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
        return sent.thenApply(WorkerPages::text)
            .orTimeout(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS)
            // A worker's topology may send without end, or nothing more: the thread that reads is let go.
            .whenComplete((text, failure) -> end(sent));
    }

    /** Why a worker did not answer, in a few words. */
    public static String cause(Throwable failure) {
        if (failure instanceof ConnectException) {
            return "nothing listens at its endpoint; it is starting or has ended";
        }
        if (failure instanceof HttpTimeoutException || failure instanceof TimeoutException) {
            return "it did not answer within " + TIMEOUT.toSeconds() + " s; its host may be busy, ask again";
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    private static String text(HttpResponse<InputStream> response) {
        try {
            String text = new String(response.body().readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            return response.statusCode() == HTTP_OK ? text : "";
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static void end(CompletableFuture<HttpResponse<InputStream>> sent) {
        if (sent.isCompletedExceptionally() || sent.cancel(true)) {
            return;
        }
        try {
            sent.join().body().close();
        } catch (IOException e) {
            LOG.debug("The response of a worker has ended already", e);
        }
    }
}
