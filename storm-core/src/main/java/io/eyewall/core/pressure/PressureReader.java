package io.eyewall.core.pressure;

import io.eyewall.client.settings.tail.LatencyAccess;
import io.eyewall.core.watch.WorkerPages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/**
 * Asks all workers of a topology for the state of their queues. Safe for any thread; a question takes some seconds if a worker does not
 * answer.
 */
public final class PressureReader {

    private final WorkerPages pages = new WorkerPages();

    /**
     * What the workers said.
     *
     * @param unavailable why nobody can be asked; empty if that is possible
     * @param silent for each worker that did not answer, by its host and port, the cause in a few words
     * @param pressure what follows from those that did
     */
    public record Reading(String unavailable, SortedMap<String, String> silent, BackPressure pressure) {
    }

    /**
     * Asks the workers of a topology.
     *
     * @throws org.apache.storm.generated.NotAliveException if it does not run
     * @throws TException if Nimbus cannot be reached or refuses
     */
    public Reading read(Nimbus.Iface nimbus, String topologyId) throws TException {
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(NumErrorsChoice.NONE);
        SortedMap<String, ExecutorSummary> workers = new TreeMap<>();
        Map<String, Object> conf = new HashMap<>();
        if (JSONValue.parse(nimbus.getTopologyConf(topologyId)) instanceof Map<?, ?> all) {
            all.forEach((key, value) -> conf.put(String.valueOf(key), value));
        }
        LatencyAccess access = LatencyAccess.of(conf);
        Map<String, Set<String>> receivers = receivers(nimbus.getTopology(topologyId));
        if (!access.isPossible()) {
            return new Reading("Its workers do not serve what they record: " + LatencyAccess.RECORDING + " is off, or "
                + LatencyAccess.ENDPOINT_PORT_OFFSET + " is 0.", new TreeMap<>(), BackPressure.of(List.of(), receivers));
        }
        for (ExecutorSummary executor : nimbus.getTopologyInfoWithOpts(topologyId, options).get_executors()) {
            workers.put(executor.get_host() + ":" + executor.get_port(), executor);
        }
        SortedMap<String, CompletableFuture<List<ExecutorQueue>>> pending = new TreeMap<>();
        workers.forEach((name, worker) -> pending.put(name,
            pages.ask(worker.get_host(), worker.get_port() + access.endpointPortOffset(), "/queues")
                .thenApply(page -> ExecutorQueue.parse(page, topologyId, worker.get_host(), worker.get_port()))));
        List<ExecutorQueue> queues = new ArrayList<>();
        SortedMap<String, String> silent = new TreeMap<>();
        pending.forEach((name, answer) -> {
            try {
                queues.addAll(answer.join());
            } catch (CompletionException e) {
                silent.put(name, WorkerPages.cause(e.getCause()));
            }
        });
        return new Reading(workers.isEmpty() ? "It has no workers yet." : "", silent, BackPressure.of(queues, receivers));
    }

    /** For each component, Storm's own included, those that it sends to. */
    static Map<String, Set<String>> receivers(StormTopology topology) {
        Map<String, ComponentCommon> commons = new HashMap<>();
        topology.get_spouts().forEach((id, spout) -> commons.put(id, spout.get_common()));
        for (Map.Entry<String, Bolt> bolt : topology.get_bolts().entrySet()) {
            commons.put(bolt.getKey(), bolt.getValue().get_common());
        }
        Map<String, Set<String>> receivers = new HashMap<>();
        commons.keySet().forEach(id -> receivers.put(id, new TreeSet<>()));
        commons.forEach((id, common) -> {
            for (GlobalStreamId input : common.get_inputs().keySet()) {
                Set<String> ofSender = receivers.get(input.get_componentId());
                if (ofSender != null) {
                    ofSender.add(id);
                }
            }
        });
        return receivers;
    }
}
