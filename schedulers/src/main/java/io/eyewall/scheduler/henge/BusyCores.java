package io.eyewall.scheduler.henge;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Remembers how many cores topologies kept busy, by their names, also of those that have ended: what a topology is expected to need when it
 * is submitted again. It is an exponential moving average, so that neither the start nor the end of a run counts much. Not thread-safe.
 */
final class BusyCores {

    /** The topologies that are remembered; those that have not run for the longest time are forgotten. */
    static final int MAX_TOPOLOGIES = 200;

    private static final double WEIGHT = 0.05;

    private final LinkedHashMap<String, Double> cores = new LinkedHashMap<>();

    /** Begins with what is known of earlier runs. */
    BusyCores(Map<String, Double> earlier) {
        cores.putAll(earlier);
    }

    /** Adds what a round has measured. */
    void add(String topologyName, double busy) {
        Double before = cores.remove(topologyName);
        cores.put(topologyName, before == null ? busy : before + WEIGHT * (busy - before));
        if (cores.size() > MAX_TOPOLOGIES) {
            cores.remove(cores.keySet().iterator().next());
        }
    }

    SortedMap<String, Double> all() {
        return new TreeMap<>(cores);
    }
}
