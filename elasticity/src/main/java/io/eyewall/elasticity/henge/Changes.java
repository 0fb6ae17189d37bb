package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.henge.HengeState.Epoch;
import io.eyewall.elasticity.model.Machine;
import io.eyewall.elasticity.model.PlacedTopology;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds what has changed so much that the results of a search no longer hold. */
final class Changes {

    private Changes() {
    }

    /** The change of topologies, SLOs or machines since a search began, in one line; null if there is none. */
    static String ofCluster(Optional<Epoch> epoch, Observation now) {
        if (epoch.isEmpty()) {
            return "the first look";
        }
        Map<String, String> before = epoch.get().slos();
        Map<String, String> present = slos(now);
        if (!before.equals(present)) {
            String topologies = difference("topologies", before.keySet(), present.keySet());
            return topologies != null ? topologies : "an SLO changed: " + changed(before, present);
        }
        Set<String> machines = new TreeSet<>();
        now.cluster().state().machines().stream().map(Machine::id).forEach(machines::add);
        return difference("machines", epoch.get().machines(), machines);
    }

    private static String changed(Map<String, String> before, Map<String, String> present) {
        return present.entrySet().stream().filter(slo -> !slo.getValue().equals(before.get(slo.getKey())))
            .map(slo -> slo.getKey() + " has " + (slo.getValue().isEmpty() ? "none" : slo.getValue())).collect(Collectors.joining("; "));
    }

    /** The SLOs of all topologies as text; an empty text for a topology without an SLO. */
    static SortedMap<String, String> slos(Observation now) {
        SortedMap<String, String> slos = new TreeMap<>();
        now.cluster().state().topologies().forEach(topology -> slos.put(topology.graph().id(), ""));
        now.statuses().forEach((id, status) -> slos.put(id, status.slo().toString()));
        return slos;
    }

    /** The topologies whose executors somebody else changed: they match neither the last look nor the step under way. */
    static Set<String> ofExecutors(HengeState state, Map<String, PlacedTopology> topologies) {
        Set<String> changed = new TreeSet<>();
        state.epoch().ifPresent(epoch -> epoch.executors().forEach((id, known) -> {
            PlacedTopology topology = topologies.get(id);
            if (topology != null) {
                TopologyChange step = state.pending().map(pending -> pending.plan().changes().get(id)).orElse(null);
                boolean isApplied = step != null && state.pending().get().appliedMs().isPresent();
                Map<String, Integer> counts = TopologyChange.counts(topology.graph(), topology.placement());
                boolean isAsBefore = !isApplied && counts.equals(known);
                boolean isAsPlanned = step != null && counts.equals(TopologyChange.counts(topology.graph(), step.placement()));
                if (!isAsBefore && !isAsPlanned) {
                    changed.add(id);
                }
            }
        }));
        return changed;
    }

    /**
     * The topology whose input differs most from before, in one line; null if none differs by more than a share.
     *
     * @param before the inputs before, in tuples per second, by topology id
     * @param except the topologies that are not looked at: if back-pressure holds their spouts back, a step changes their input
     */
    static String ofLoad(Map<String, Double> before, Map<String, Double> now, double share, Set<String> except) {
        return ofLoad(before, now, share, except, 0);
    }

    /** The same for the topology whose input rose most. */
    static String ofRisenLoad(Map<String, Double> before, Map<String, Double> now, double share, Set<String> except) {
        return ofLoad(before, now, share, except, 1);
    }

    /**
     * The topology of a step whose input changed most, if that explains the outcome of the step; null if it does not: less input
     * makes no step look bad, and more makes none look good.
     *
     * @param own the topologies of the step
     * @param isGood whether the step looks good
     */
    static String ofOwnLoad(Map<String, Double> before, Map<String, Double> now, double share, Set<String> own, boolean isGood) {
        Set<String> others = new TreeSet<>(before.keySet());
        others.removeAll(own);
        return ofLoad(before, now, share, others, isGood ? -1 : 1);
    }

    /** Of the inputs that rose if the sign is 1, that fell if it is -1, or of all if it is 0. */
    private static String ofLoad(Map<String, Double> before, Map<String, Double> now, double share, Set<String> except, int sign) {
        String most = null;
        double largest = share;
        for (Map.Entry<String, Double> entry : before.entrySet()) {
            Double input = now.get(entry.getKey());
            if (input != null && !except.contains(entry.getKey())) {
                double difference = Math.abs(input - entry.getValue()) / Math.max(1, entry.getValue());
                if (difference > largest && sign * (input - entry.getValue()) >= 0) {
                    largest = difference;
                    most = String.format(Locale.ROOT, "the input of %s changed from %.1f/s to %.1f/s", entry.getKey(), entry.getValue(),
                        input);
                }
            }
        }
        return most;
    }

    private static String difference(String what, Set<String> before, Set<String> now) {
        Set<String> come = new TreeSet<>(now);
        come.removeAll(before);
        Set<String> gone = new TreeSet<>(before);
        gone.removeAll(now);
        return come.isEmpty() && gone.isEmpty() ? null
            : what + " changed:" + (come.isEmpty() ? "" : " " + come + " came") + (gone.isEmpty() ? "" : " " + gone + " left");
    }
}
