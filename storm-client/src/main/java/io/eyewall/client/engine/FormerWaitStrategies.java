package io.eyewall.client.engine;

import io.eyewall.client.seam.WorkerSeams;
import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.ComponentCommon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The wait strategies of this package by the names that they had before, which a configuration may still have. */
final class FormerWaitStrategies {

    private static final Map<String, String> NEW_NAMES = Map.of(
        "io.eyewall.client.engine.RoomWait", FullQueueWaitStrategy.class.getName(),
        "io.eyewall.client.engine.ParkingWait$OfBolts", ParkingWaitStrategy.OfBolts.class.getName(),
        "io.eyewall.client.engine.ParkingWait$OfSpouts", ParkingWaitStrategy.OfSpouts.class.getName());
    private static final List<String> KEYS = List.of(Config.TOPOLOGY_BACKPRESSURE_WAIT_STRATEGY,
        Config.TOPOLOGY_BOLT_WAIT_STRATEGY, Config.TOPOLOGY_SPOUT_WAIT_STRATEGY);

    private static final Logger LOG = LoggerFactory.getLogger(FormerWaitStrategies.class);

    private FormerWaitStrategies() {
    }

    /** The keys of wait strategies that the user has chosen: neither upstream's default nor one of this package, now or before. */
    static List<String> chosen(Map<String, Object> conf) {
        return KEYS.stream().filter(key -> {
            Object name = conf.get(key);
            return name != null && !WakeOnArrivalFeature.UPSTREAM_WAIT.equals(name) && !NEW_NAMES.containsKey(name)
                && !NEW_NAMES.containsValue(name);
        }).toList();
    }

    /**
     * Replaces former names by the new ones in a worker's copy of the configuration, and logs a warning for each. In the configuration of a
     * single component Storm reads only the wait strategy of spouts.
     */
    static void replace(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
        for (String key : KEYS) {
            Object name = topologyConf.get(key);
            String newName = newName(key, name, "the topology's configuration or in storm.yaml");
            if (newName != null) {
                seams.inPlaceOf(key, name, newName);
            }
        }
        Components.spouts(seams.topology()).forEach(FormerWaitStrategies::replace);
    }

    private static void replace(String spout, ComponentCommon common) {
        String key = Config.TOPOLOGY_SPOUT_WAIT_STRATEGY;
        Map<String, Object> conf = OwnConfiguration.of(common);
        String newName = newName(key, conf.get(key), "the configuration of the spout " + spout);
        if (newName != null) {
            conf.put(key, newName);
            OwnConfiguration.set(common, conf);
        }
    }

    private static String newName(String key, Object name, String place) {
        String newName = name == null ? null : NEW_NAMES.get(name.toString());
        if (newName != null) {
            LOG.warn("{}: {} has another name now, and this worker uses that. Set {}: {} in {}.", key, name, key, newName, place);
        }
        return newName;
    }
}
