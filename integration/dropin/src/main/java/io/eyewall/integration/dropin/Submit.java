package io.eyewall.integration.dropin;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.StormTopology;

/** Submits the topologies whose names are the arguments, under these names. */
public final class Submit {

    private static final Map<String, Function<Config, StormTopology>> TOPOLOGIES = new TreeMap<>(Map.ofEntries(
        Map.entry("acking", AckingTopology::build),
        Map.entry("bursts", BurstsTopology::build),
        Map.entry("congested", CongestedTopology::build),
        Map.entry("drpc", DrpcTopology::build),
        Map.entry("events", EventsTopology::build),
        Map.entry("flood", FloodTopology::build),
        Map.entry("groupings", GroupingsTopology::build),
        Map.entry("held", HeldTopology::build),
        Map.entry("hooks", HooksTopology::build),
        Map.entry("leak", LeakTopology::build),
        Map.entry("libraries", LibrariesTopology::build),
        Map.entry("lifecycle", LifecycleTopology::build),
        Map.entry("local", LocalTopology::build),
        Map.entry("metrics", MetricsTopology::build),
        Map.entry("python", PythonTopology::build),
        Map.entry("replay", ReplayTopology::build),
        Map.entry("rolling", RollingTopology::build),
        Map.entry("rolling-loop", RollingTopology::buildLoop),
        Map.entry("rolling-too", RollingTopology::build),
        Map.entry("sizes", SizesTopology::build),
        Map.entry("state", StateTopology::build),
        Map.entry("tally", TallyTopology::build),
        Map.entry("ticks", TicksTopology::build),
        Map.entry("trident", WordsTopology::build),
        Map.entry("uneven", UnevenTopology::build),
        Map.entry("windows", WindowsTopology::build)));

    private Submit() {
    }

    /** Submits the topologies. Throws {@link IllegalArgumentException} for an unknown name. */
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Function<Config, StormTopology> topology = TOPOLOGIES.get(name);
            if (topology == null) {
                throw new IllegalArgumentException("No topology " + name + ": there are " + TOPOLOGIES.keySet() + ".");
            }
            Config config = new Config();
            StormTopology built = topology.apply(config);
            StormSubmitter.submitTopology(name, config, built);
        }
    }
}
