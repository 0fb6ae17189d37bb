package io.eyewall.elasticity.measure;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import java.util.Map;

/**
 * The measured rates of a topology. Immutable.
 *
 * @param topology the rates of the whole: input is what the sources bring in, executed and emitted are sums over the operators
 * @param operators the rates of every operator, by component id: sums over its executors; executors without a measurement are taken to do
 *     what the measured ones of their component do on average
 * @param executors the rates of every executor of an operator that was measured; input is the executor's share, by tasks, of its
 *     component's, since what a grouping does with each tuple is not counted
 * @param linkLoads tuples per second on every link
 * @param unmeasuredExecutors how many executors of operators have not been measured in the window
 */
public record TopologyRates(Rates topology, Map<String, Rates> operators, Map<ExecutorId, Rates> executors, Map<Link, Double> linkLoads,
        int unmeasuredExecutors) {

    /** Keeps copies. */
    public TopologyRates {
        operators = Map.copyOf(operators);
        executors = Map.copyOf(executors);
        linkLoads = Map.copyOf(linkLoads);
    }
}
