package io.eyewall.elasticity.measure;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Link;
import java.util.Map;

/**
 * The measured rates of a topology. Immutable.
 *
 * @param topology the rates of the whole topology: input is what the sources emit, executed and emitted are sums over the operators
 * @param operators the rates of every operator, by component id: sums over its executors. An executor without a measurement is assumed to
 *     have the average rates of the measured ones
 * @param executors the rates of every measured executor of an operator. Its input is a share of the component's input in proportion to
 *     its tasks, since Storm does not count which task a grouping chooses
 * @param linkLoads tuples per second sent on every link
 * @param linkExecuted tuples per second of every link that its receiver processed; as many as were sent if the difference can be due to
 *     sampling
 * @param unmeasuredExecutors how many executors of operators have no measurement in the window
 */
public record TopologyRates(Rates topology, Map<String, Rates> operators, Map<ExecutorId, Rates> executors, Map<Link, Double> linkLoads,
        Map<Link, Double> linkExecuted, int unmeasuredExecutors) {

    /** Copies the maps. */
    public TopologyRates {
        operators = Map.copyOf(operators);
        executors = Map.copyOf(executors);
        linkLoads = Map.copyOf(linkLoads);
        linkExecuted = Map.copyOf(linkExecuted);
    }
}
