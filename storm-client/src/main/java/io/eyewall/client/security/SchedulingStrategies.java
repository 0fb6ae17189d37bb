package io.eyewall.client.security;

import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which classes a topology may have Nimbus instantiate with {@code topology.scheduler.strategy}: those in
 * {@code nimbus.scheduler.strategy.class.whitelist}, or Storm's own if that is not set. Eyewall has no such strategy. Safe for any thread.
 */
public final class SchedulingStrategies {

    /** The key of the list. */
    public static final String ALLOWED = "nimbus.scheduler.strategy.class.whitelist";

    private static final Logger LOG = LoggerFactory.getLogger(SchedulingStrategies.class);

    private static final String PACKAGE = "org.apache.storm.scheduler.resource.strategies.scheduling.";
    private static final List<String> OWN = List.of(PACKAGE + "ConstraintSolverStrategy", PACKAGE + "DefaultResourceAwareStrategy",
        PACKAGE + "DefaultResourceAwareStrategyOld", PACKAGE + "GenericResourceAwareStrategy",
        PACKAGE + "GenericResourceAwareStrategyOld", PACKAGE + "RoundRobinResourceAwareStrategy");

    private SchedulingStrategies() {
    }

    /** The classes that this configuration of Nimbus's allows. */
    public static List<?> allowed(Map<?, ?> nimbusConf) {
        return nimbusConf.get(ALLOWED) instanceof List<?> list ? list : OWN;
    }

    /** What is wrong with this class, and the remedy; null if it is allowed. */
    public static String refusal(Map<?, ?> nimbusConf, Object strategy) {
        return strategy == null || allowed(nimbusConf).contains(strategy) ? null
            : "topology.scheduler.strategy is '" + strategy + "', which is not among the strategies that this cluster allows: "
                + allowed(nimbusConf) + ". To allow it, add it to the list " + ALLOWED + " in Nimbus's storm.yaml, together with those that"
                + " topologies use already, and restart Nimbus.";
    }

    /** Says in the log why a strategy is about to be refused. */
    static void log(Map<?, ?> nimbusConf, Object strategy) {
        String refusal = refusal(nimbusConf, strategy);
        if (refusal != null) {
            LOG.warn(refusal);
        }
    }
}
