package io.eyewall.tail.command;

import io.eyewall.core.watch.WorkerAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Fetches the recorded values of all workers of a topology at once.
 */
final class WorkerEndpoints {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    /**
     * The answers of the workers of a topology.
     *
     * @param snapshots the snapshots of the workers that answered
     * @param causes for each other worker the cause, in a few words
     */
    record Answers(SortedMap<WorkerAddress, WorkerSnapshot> snapshots, SortedMap<WorkerAddress, String> causes) {

        /** The time of the latest snapshot. There must be one. */
        Instant time() {
            return snapshots.values().stream().map(WorkerSnapshot::time).max(Comparator.naturalOrder()).orElseThrow();
        }

        /** The same answers with the values since {@code earlier}; without workers that did not answer then and may have older values. */
        Answers since(Answers earlier) {
            SortedMap<WorkerAddress, WorkerSnapshot> differences = new TreeMap<>();
            SortedMap<WorkerAddress, String> missing = new TreeMap<>(causes);
            snapshots.forEach((worker, snapshot) -> {
                WorkerSnapshot before = earlier.snapshots.get(worker);
                if (before != null) {
                    differences.put(worker, snapshot.since(before));
                } else if (earlier.causes.containsKey(worker)) {
                    missing.put(worker, "it did not answer when the interval began: " + earlier.causes.get(worker));
                } else {
                    differences.put(worker, snapshot);
                }
            });
            return new Answers(differences, missing);
        }
    }

    /** Asks every worker of a topology, and returns when each one has answered or failed. */
    Answers fetch(RunningTopology topology) {
        Map<WorkerAddress, CompletableFuture<WorkerSnapshot>> pending = new TreeMap<>();
        topology.workers().forEach(worker -> pending.put(worker, request(worker, topology)));
        SortedMap<WorkerAddress, WorkerSnapshot> snapshots = new TreeMap<>();
        SortedMap<WorkerAddress, String> causes = new TreeMap<>();
        pending.forEach((worker, answer) -> {
            try {
                snapshots.put(worker, answer.join());
            } catch (CompletionException e) {
                causes.put(worker, cause(e.getCause()));
            }
        });
        return new Answers(snapshots, causes);
    }

    private CompletableFuture<WorkerSnapshot> request(WorkerAddress worker, RunningTopology topology) {
        int port = worker.port() + topology.configuration().endpointPortOffset();
        String host = worker.host().contains(":") ? '[' + worker.host() + ']' : worker.host();
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(URI.create("http://" + host + ':' + port + "/latency")).timeout(TIMEOUT).build();
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(response -> snapshot(response, topology.id()));
    }

    private static WorkerSnapshot snapshot(HttpResponse<String> response, String topologyId) {
        if (response.statusCode() != 200) {
            throw new IllegalArgumentException("HTTP status " + response.statusCode());
        }
        WorkerSnapshot snapshot = WorkerSnapshot.parse(response.body());
        if (!snapshot.topologyId().equals(topologyId)) {
            throw new IllegalArgumentException("latencies of " + snapshot.topologyId());
        }
        return snapshot;
    }

    private static String cause(Throwable failure) {
        if (failure instanceof IllegalArgumentException) {
            return "it returned " + failure.getMessage();
        }
        if (failure instanceof ConnectException) {
            return "nothing listens at its endpoint; it is starting or has ended";
        }
        if (failure instanceof HttpTimeoutException) {
            return "it did not answer within " + TIMEOUT.toSeconds() + " s; its host may be busy, ask again";
        }
        String why = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return failure instanceof IOException ? why : failure.toString();
    }
}
