package io.eyewall.scheduler.henge;

import io.eyewall.elasticity.henge.Action;
import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.elasticity.henge.HengeState;
import io.eyewall.elasticity.henge.Technique;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one Nimbus leaves to the next. Immutable.
 *
 * @param state the state of the planner
 * @param changedSlos the keys of SLOs that were changed after submission, with their values, by topology id
 * @param events the events that led to the state, which the action log may lack
 */
record HengeMemory(HengeState state, Map<String, Map<String, Object>> changedSlos, List<HengeEvent> events) {

    static final HengeMemory EMPTY = new HengeMemory(HengeState.START, Map.of(), List.of());

    /** Copies the map and the list. */
    HengeMemory {
        changedSlos = Map.copyOf(changedSlos);
        events = List.copyOf(events);
    }

    HengeMemory with(HengeState next, List<HengeEvent> since) {
        return new HengeMemory(next, changedSlos, since);
    }

    HengeMemory withoutEvents() {
        return new HengeMemory(state, changedSlos, List.of());
    }

    /** The memory with other values of some keys of a topology's SLO. */
    HengeMemory withSlo(String topologyId, Map<String, Object> settings) {
        Map<String, Map<String, Object>> all = new HashMap<>(changedSlos);
        Map<String, Object> merged = new HashMap<>(all.getOrDefault(topologyId, Map.of()));
        merged.putAll(settings);
        all.put(topologyId, Map.copyOf(merged));
        return new HengeMemory(state, all, events);
    }

    /** The memory without topologies that are gone. */
    HengeMemory retain(Set<String> topologyIds) {
        if (topologyIds.containsAll(changedSlos.keySet()) && topologyIds.containsAll(state.firstSeen().keySet())) {
            return this;
        }
        Map<String, Map<String, Object>> kept = new HashMap<>(changedSlos);
        kept.keySet().retainAll(topologyIds);
        return new HengeMemory(state.retain(topologyIds), kept, events);
    }

    /**
     * A state without a search, as it is when no topology has an SLO.
     *
     * @param present the topologies that have slots; others keep the techniques that are ordered on in them
     */
    static HengeState withoutSearch(HengeState state, Set<String> present) {
        SortedMap<String, Set<Technique>> techniques = new TreeMap<>(state.pending()
            .filter(pending -> pending.plan().action() == Action.SWITCH).map(HengeState.Pending::techniquesBefore)
            .orElse(state.techniques()));
        techniques.keySet().removeAll(present);
        return new HengeState(state.steps(), Optional.empty(), Optional.empty(), Optional.empty(), state.firstSeen(), false, techniques);
    }

    /** The configuration of a topology with its SLO as it is now. */
    Map<String, Object> effective(String topologyId, Map<String, Object> topologyConf) {
        Map<String, Object> conf = new HashMap<>(topologyConf);
        conf.putAll(changedSlos.getOrDefault(topologyId, Map.of()));
        return conf;
    }
}
