package io.eyewall.core.watch;

import io.eyewall.client.settings.tail.LatencyAccess;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/** Asks all workers of a topology for a page. Safe for any thread; a question takes some seconds if a worker does not answer. */
public final class TopologyPages {

    private final WorkerPages pages = new WorkerPages();

    /**
     * What the workers said.
     *
     * @param unavailable why nobody can be asked; empty if that is possible
     * @param silent for each worker that did not answer, or not as expected, the cause in a few words
     * @param answers of the others
     */
    public record Reading<T>(String unavailable, SortedMap<WorkerAddress, String> silent, SortedMap<WorkerAddress, T> answers) {
    }

    /**
     * Asks the workers of a topology.
     *
     * @param page with the slash
     * @param parse reads a worker's page; an {@link IllegalArgumentException} of it says what is wrong
     * @throws org.apache.storm.generated.NotAliveException if the topology does not run
     * @throws TException if Nimbus cannot be reached or refuses
     */
    public <T> Reading<T> read(Nimbus.Iface nimbus, String topologyId, String page, BiFunction<WorkerAddress, String, T> parse)
            throws TException {
        SortedMap<WorkerAddress, String> silent = new TreeMap<>();
        SortedMap<WorkerAddress, T> answers = new TreeMap<>();
        LatencyAccess access = LatencyAccess.of(configuration(nimbus, topologyId));
        if (!access.isPossible()) {
            return new Reading<>("Its workers do not serve what they record: " + LatencyAccess.RECORDING + " is off, or "
                + LatencyAccess.ENDPOINT_PORT_OFFSET + " is 0.", silent, answers);
        }
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(NumErrorsChoice.NONE);
        SortedMap<WorkerAddress, CompletableFuture<T>> pending = new TreeMap<>();
        for (ExecutorSummary executor : nimbus.getTopologyInfoWithOpts(topologyId, options).get_executors()) {
            pending.computeIfAbsent(new WorkerAddress(executor.get_host(), executor.get_port()), worker ->
                pages.ask(worker.host(), worker.port() + access.endpointPortOffset(), page).thenApply(text -> parse.apply(worker, text)));
        }
        pending.forEach((worker, answer) -> {
            try {
                answers.put(worker, answer.join());
            } catch (CompletionException e) {
                silent.put(worker, WorkerPages.cause(e.getCause()));
            }
        });
        return new Reading<>(pending.isEmpty() ? "It has no workers yet." : "", silent, answers);
    }

    /** The configuration of a topology, with the cluster's. */
    public static Map<String, Object> configuration(Nimbus.Iface nimbus, String topologyId) throws TException {
        Map<String, Object> conf = new HashMap<>();
        if (JSONValue.parse(nimbus.getTopologyConf(topologyId)) instanceof Map<?, ?> all) {
            all.forEach((key, value) -> conf.put(String.valueOf(key), value));
        }
        return conf;
    }
}
