package io.eyewall.elasticity.henge;

import io.eyewall.elasticity.slo.Slo;
import io.eyewall.elasticity.slo.SloMetric;
import java.util.Map;

/**
 * A topology's SLO and how far it is from it.
 *
 * @param slo the SLO
 * @param values the current value of each metric that is known; a figure that is missing or old has no value
 * @param isCurrent whether the values are of this look; else one of them is from shortly before, and is the same as then
 */
public record SloStatus(Slo slo, Map<SloMetric, Double> values, boolean isCurrent) {

    /** Copies the map. */
    public SloStatus {
        values = Map.copyOf(values);
    }

    /** Whether all figures are known, and the SLO is missed. */
    public boolean isMissed() {
        return slo.utility(values).isPresent() && !slo.isMet(values);
    }
}
