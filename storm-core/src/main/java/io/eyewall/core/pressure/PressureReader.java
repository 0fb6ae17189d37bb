package io.eyewall.core.pressure;

import io.eyewall.client.settings.Components;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.core.watch.TopologyPages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;

/**
 * Asks all workers of a topology for the state of their queues. Safe for any thread; a question takes some seconds if a worker does not
 * answer.
 */
public final class PressureReader {

    private final TopologyPages pages = new TopologyPages();

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
        StormTopology topology = nimbus.getTopology(topologyId);
        StreamConfiguration mode = new StreamConfiguration(TopologyPages.configuration(nimbus, topologyId));
        TopologyPages.Reading<List<ExecutorQueue>> read = pages.read(nimbus, topologyId, ExecutorQueue.PAGE,
            (worker, page) -> ExecutorQueue.parse(page, topologyId, worker.host(), worker.port()));
        List<ExecutorQueue> queues = new ArrayList<>();
        read.answers().values().forEach(queues::addAll);
        Map<String, Set<String>> waitsFor = receivers(topology);
        if (mode.hasStreamManagers() && !mode.holdsStages()) {
            holdSpouts(topology, queues, waitsFor);
        }
        SortedMap<String, String> silent = new TreeMap<>();
        read.silent().forEach((worker, cause) -> silent.put(worker.toString(), cause));
        return new Reading(read.unavailable(), silent, BackPressure.of(queues, waitsFor));
    }

    /**
     * With stream managers all spouts wait while any executor cannot keep up. Bolts go on, until so much waits for one of them that nobody
     * reads what others send to it. Then the queues of these are full as well.
     */
    private static void holdSpouts(StormTopology topology, List<ExecutorQueue> queues, Map<String, Set<String>> waitsFor) {
        Set<String> full = queues.stream().filter(ExecutorQueue::isFull).map(ExecutorQueue::component).collect(Collectors.toSet());
        waitsFor.replaceAll((id, receivers) -> topology.get_spouts().containsKey(id) ? waitsFor.keySet()
            : full.contains(id) ? receivers : Set.of());
    }

    /** For each component, Storm's own included, those that it sends to. */
    static Map<String, Set<String>> receivers(StormTopology topology) {
        Map<String, ComponentCommon> commons = Components.of(topology);
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
