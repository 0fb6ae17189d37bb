package io.eyewall.client.settings;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;

/** The components of a topology, spouts as well as bolts. */
public final class Components {

    private Components() {
    }

    /** What each component has in common with all others, by its id; in a map of its own. A topology may lack spouts or bolts. */
    public static Map<String, ComponentCommon> of(StormTopology topology) {
        Map<String, ComponentCommon> components = spouts(topology);
        if (topology.is_set_bolts()) {
            topology.get_bolts().forEach((id, bolt) -> components.put(id, bolt.get_common()));
        }
        return components;
    }

    /** The same of spouts only. */
    public static Map<String, ComponentCommon> spouts(StormTopology topology) {
        Map<String, ComponentCommon> spouts = new HashMap<>();
        if (topology.is_set_spouts()) {
            topology.get_spouts().forEach((id, spout) -> spouts.put(id, spout.get_common()));
        }
        return spouts;
    }

    /** The streams that a topology's author has the component emit to, in order; Storm's default stream if there are none. */
    public static SortedSet<String> streams(ComponentCommon component) {
        SortedSet<String> streams = new TreeSet<>(component.is_set_streams() ? component.get_streams().keySet() : Set.of());
        streams.removeIf(Utils::isSystemId);
        return streams.isEmpty() ? new TreeSet<>(Set.of(Utils.DEFAULT_STREAM_ID)) : streams;
    }

    /** How many executors the component was submitted with. */
    public static int executors(ComponentCommon component) {
        return component.is_set_parallelism_hint() ? component.get_parallelism_hint() : 1;
    }
}
