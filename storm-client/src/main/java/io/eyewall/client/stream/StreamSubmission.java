package io.eyewall.client.stream;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.SubmissionTarget;
import io.eyewall.client.seam.TopologySubmission;
import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses keys of the topology where a component has them, and warns of keys of the stream-manager mode without effect. */
public final class StreamSubmission implements TopologySubmission {

    private static final Logger LOG = LoggerFactory.getLogger(StreamSubmission.class);

    @Override
    public void submitting(Map<String, Object> clientConf, StormTopology topology, SubmissionTarget cluster,
            Map<String, Object> topologyConf) throws InvalidTopologyException {
        Map<String, Map<String, Object>> own = new TreeMap<>();
        Components.of(topology).forEach((component, common) -> own.put(component, OwnConfiguration.of(common)));
        for (Map.Entry<String, Map<String, Object>> component : own.entrySet()) {
            for (String key : List.of(StreamConfiguration.MODE, StreamConfiguration.BACK_PRESSURE)) {
                if (component.getValue().containsKey(key)) {
                    throw new WrappedInvalidTopologyException(key + " has no effect in the configuration of '" + component.getKey()
                        + "': set it for the topology.");
                }
            }
        }
        Map<String, Object> conf = new HashMap<>(clientConf);
        conf.putAll(topologyConf);
        if (!new StreamConfiguration(conf).hasStreamManagers()) {
            for (String key : List.of(StreamConfiguration.EXECUTORS, StreamConfiguration.BACK_PRESSURE)) {
                if (topologyConf.containsKey(key) || own.values().stream().anyMatch(its -> its.containsKey(key))) {
                    LOG.warn("{} has no effect without {}: stream-manager.", key, StreamConfiguration.MODE);
                }
            }
        } else if (ObjectReader.getInt(topologyConf.get(Config.TOPOLOGY_ACKER_EXECUTORS), 0) > 0
                && EngineConfiguration.LEDGER.equals(topologyConf.get(EngineConfiguration.ACKING))) {
            LOG.info("{} is {}, and these executors are unused: with stream managers, spouts keep the acks.",
                Config.TOPOLOGY_ACKER_EXECUTORS, topologyConf.get(Config.TOPOLOGY_ACKER_EXECUTORS));
        }
    }
}
