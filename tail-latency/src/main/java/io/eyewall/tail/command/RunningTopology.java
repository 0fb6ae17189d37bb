package io.eyewall.tail.command;

import io.eyewall.core.watch.WorkerAddress;
import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.LatencyRecordingConfiguration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/**
 * A topology as Nimbus knows it.
 *
 * @param name its name
 * @param id its id
 * @param configuration its settings of latency recording
 * @param workers the addresses of its workers
 * @param plan its components
 */
record RunningTopology(String name, String id, LatencyRecordingConfiguration configuration, SortedSet<WorkerAddress> workers,
        ComponentPlan plan) {

    /**
     * Asks Nimbus for a topology.
     *
     * @throws org.apache.storm.generated.NotAliveException if no topology of that name is running
     * @throws TException if Nimbus cannot be reached or refuses
     */
    static RunningTopology find(String name, Nimbus.Iface nimbus) throws TException {
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(NumErrorsChoice.NONE);
        TopologyInfo info = nimbus.getTopologyInfoByNameWithOpts(name, options);
        SortedSet<WorkerAddress> workers = new TreeSet<>();
        for (ExecutorSummary executor : info.get_executors()) {
            workers.add(new WorkerAddress(executor.get_host(), executor.get_port()));
        }
        return new RunningTopology(name, info.get_id(), new LatencyRecordingConfiguration(configuration(nimbus, info.get_id())), workers,
            plan(nimbus.getUserTopology(info.get_id())));
    }

    @SuppressWarnings("unchecked") // Keys in JSON are strings.
    private static Map<String, Object> configuration(Nimbus.Iface nimbus, String id) throws TException {
        return (Map<String, Object>) JSONValue.parse(nimbus.getTopologyConf(id));
    }

    /** The components, named as in tags. */
    static ComponentPlan plan(StormTopology topology) {
        Map<String, Collection<String>> sources = new HashMap<>();
        topology.get_spouts().keySet().forEach(spout -> sources.put(HopKey.inTag(spout), Set.of()));
        for (Map.Entry<String, Bolt> bolt : topology.get_bolts().entrySet()) {
            sources.put(HopKey.inTag(bolt.getKey()), bolt.getValue().get_common().get_inputs().keySet().stream()
                .map(GlobalStreamId::get_componentId).map(HopKey::inTag).collect(Collectors.toSet()));
        }
        return new ComponentPlan(sources);
    }
}
