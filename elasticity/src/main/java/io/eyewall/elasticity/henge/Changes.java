package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.henge.HengeState.Epoch;
import io.eyewall.elasticity.model.Machine;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

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
        SortedMap<String, String> present = new TreeMap<>();
        now.statuses().forEach((id, status) -> present.put(id, status.slo().toString()));
        if (!before.equals(present)) {
            String topologies = difference("topologies with an SLO", before.keySet(), present.keySet());
            return topologies != null ? topologies : "an SLO changed";
        }
        Set<String> machines = new TreeSet<>();
        now.cluster().state().machines().stream().map(Machine::id).forEach(machines::add);
        return difference("machines", epoch.get().machines(), machines);
    }

    /**
     * The topology whose input differs most from before, in one line; null if none differs by more than a share.
     *
     * @param before the inputs before, in tuples per second, by topology id
     * @param except the topologies that are not looked at: if back-pressure holds their spouts back, a step changes their input
     */
    static String ofLoad(Map<String, Double> before, Map<String, Double> now, double share, Set<String> except) {
        String most = null;
        double largest = share;
        for (Map.Entry<String, Double> entry : before.entrySet()) {
            Double input = now.get(entry.getKey());
            if (input != null && !except.contains(entry.getKey())) {
                double difference = Math.abs(input - entry.getValue()) / Math.max(1, entry.getValue());
                if (difference > largest) {
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
