package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.slo.Slo;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;

/** What the cluster as a whole is to maximise (Xu's thesis, section 3.2). */
public enum Goal {

    /** The sum of all utilities: the thesis' own choice. Topologies with a higher maximum utility come first. */
    TOTAL,
    /** The lowest utility, as a share of the topology's maximum. The topology that is worst off comes first. */
    MINIMUM;

    /**
     * The weight of the mean with {@link #MINIMUM}, so that a step also counts if it helps another topology than the worst. It is a share
     * of the lowest utility: where that is near 0, no rise of the mean makes up for its fall.
     */
    private static final double WEIGHT_OF_MEAN = 0.01;
    /** The weight of the mean where the lowest utility is 0. */
    private static final double TIE = 1e-9;

    /**
     * How good utilities are; more is better.
     *
     * @param utilities the utilities by topology id
     * @param topologies the ids to look at, all of which have a utility and an SLO
     * @param slos the SLOs by topology id
     */
    double score(Map<String, Double> utilities, Collection<String> topologies, Map<String, Slo> slos) {
        if (this == TOTAL) {
            return topologies.stream().sorted().mapToDouble(utilities::get).sum();
        }
        double least = topologies.stream().mapToDouble(id -> utilities.get(id) / slos.get(id).maxUtility()).min().orElse(0);
        double mean = topologies.stream().sorted().mapToDouble(id -> utilities.get(id) / slos.get(id).maxUtility()).average().orElse(0);
        return least * (1 + WEIGHT_OF_MEAN * mean) + TIE * mean;
    }

    /** The order in which topologies that miss their SLO are helped: by maximum utility and then lowest share, or by the share alone. */
    Comparator<String> neediestFirst(Map<String, Double> utilities, Map<String, Slo> slos) {
        Comparator<String> lowestShare = Comparator.comparingDouble(id -> utilities.get(id) / slos.get(id).maxUtility());
        Comparator<String> order = this == MINIMUM ? lowestShare
            : Comparator.<String>comparingDouble(id -> -slos.get(id).maxUtility()).thenComparing(lowestShare);
        return order.thenComparing(Comparator.naturalOrder());
    }
}
