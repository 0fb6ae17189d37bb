package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.measure.Rates;
import io.eyewall.elasticity.measure.TopologyRates;
import io.eyewall.elasticity.model.Link;
import io.eyewall.elasticity.model.PlacedTopology;
import io.eyewall.elasticity.model.TopologyGraph;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The rates of a topology's operators as arrays, by their indexes in the graph: as measured, or as a planner projects them after it has
 * added executors. Not thread-safe.
 */
final class OperatorLoads {

    final TopologyGraph graph;
    final int[] executors;
    final double[] inputPerSec;
    final double[] executedPerSec;
    /** The share of the time that executors are busy, NaN if unknown; a projection above 1 means that they cannot keep up. */
    final double[] utilisation;
    final double[] resolutionPerSec;
    /** By the position of the link in {@link TopologyGraph#links()}, as are the next two. */
    final double[] linkPerSec;
    final int[] linkFrom;
    final int[] linkTo;
    /** The positions of the links to each operator. */
    final int[][] linksTo;

    private final CongestionConfiguration configuration;
    private final boolean throttled;

    /** The loads as measured. */
    OperatorLoads(PlacedTopology topology, TopologyRates rates, CongestionConfiguration configuration) {
        this.graph = topology.graph();
        this.configuration = configuration;
        this.executors = topology.executorCounts();
        int n = graph.size();
        inputPerSec = new double[n];
        executedPerSec = new double[n];
        utilisation = new double[n];
        resolutionPerSec = new double[n];
        for (int i = 0; i < n; i++) {
            Rates operator = rates.operators().getOrDefault(graph.operators().get(i).id(), Rates.ZERO);
            inputPerSec[i] = operator.inputPerSec();
            executedPerSec[i] = operator.executedPerSec();
            utilisation[i] = operator.utilisation();
            resolutionPerSec[i] = operator.resolutionPerSec();
        }
        List<Link> links = graph.links();
        linkPerSec = links.stream().mapToDouble(link -> rates.linkLoads().getOrDefault(link, 0.0)).toArray();
        linkFrom = links.stream().mapToInt(link -> graph.indexOf(link.from())).toArray();
        linkTo = links.stream().mapToInt(link -> graph.indexOf(link.to())).toArray();
        linksTo = IntStream.range(0, n).mapToObj(i -> IntStream.range(0, linkTo.length).filter(link -> linkTo[link] == i).toArray())
            .toArray(int[][]::new);
        this.throttled = !anyIs(overloaded()) && anyIs(saturated());
    }

    /**
     * Whether back-pressure holds the sources back: no operator receives much more than it processes, yet some are busy all the time. Then
     * the rate that the sources could reach is unknown. This is a property of the measured loads, which a projection keeps.
     */
    boolean isThrottled() {
        return throttled;
    }

    /**
     * The operators that are congested: those whose input is more than {@code congestionRate} times what they process or, if back-pressure
     * hides that, those that are saturated.
     */
    boolean[] congested() {
        return throttled ? saturated() : overloaded();
    }

    /** The input of an operator divided by what it processes or, if back-pressure hides that ratio, its utilisation. */
    double pressure(int operator) {
        return throttled ? utilisation[operator] : inputPerSec[operator] / executedPerSec[operator];
    }

    /** The sum of what the sinks process, in tuples per second. */
    double throughputPerSec() {
        double sum = 0;
        for (int i = 0; i < graph.size(); i++) {
            sum += graph.isSink(i) ? executedPerSec[i] : 0;
        }
        return sum;
    }

    /**
     * The rate at which one executor could process tuples if its queue were never empty, in tuples per second; infinite if its busy time is
     * unknown.
     */
    double trueRatePerExecutor(int operator) {
        if (executedPerSec[operator] == 0) {
            return Double.POSITIVE_INFINITY;
        }
        if (isOverloaded(operator)) {
            return executedPerSec[operator] / executors[operator];
        }
        double busyExecutors = utilisation[operator] * executors[operator];
        return busyExecutors > 0 ? executedPerSec[operator] / busyExecutors : Double.POSITIVE_INFINITY;
    }

    /**
     * Projects the effect of one more executor. An operator with k executors processes and emits (k + 1) / k times as much; the input of
     * its children grows in proportion, and what they process stays the same (Xu's thesis, section 2.2.5). If back-pressure held the
     * sources back, the operator's work is spread over one more executor, and then all rates grow until the busiest operator is as busy as
     * the busiest was before.
     */
    void addExecutor(int operator) {
        double growth = (executors[operator] + 1.0) / executors[operator];
        executors[operator]++;
        if (throttled) {
            double busiest = busiest();
            utilisation[operator] /= growth;
            double faster = busiest / busiest();
            for (double[] rates : List.of(inputPerSec, executedPerSec, utilisation, linkPerSec)) {
                Arrays.setAll(rates, i -> rates[i] * faster);
            }
            return;
        }
        executedPerSec[operator] *= growth;
        if (graph.isSource(operator)) {
            inputPerSec[operator] = Math.max(inputPerSec[operator], executedPerSec[operator]);
        }
        for (int link = 0; link < linkPerSec.length; link++) {
            if (linkFrom[link] == operator) {
                double more = linkPerSec[link] * (growth - 1);
                linkPerSec[link] += more;
                inputPerSec[linkTo[link]] += more;
            }
        }
    }

    /** Whether any flag is set. */
    static boolean anyIs(boolean[] flags) {
        for (boolean flag : flags) {
            if (flag) {
                return true;
            }
        }
        return false;
    }

    private double busiest() {
        return Arrays.stream(utilisation).filter(share -> !Double.isNaN(share)).max().orElse(Double.NaN);
    }

    private boolean isOverloaded(int operator) {
        return inputPerSec[operator] - configuration.congestionRate() * executedPerSec[operator] > resolutionPerSec[operator];
    }

    private boolean[] overloaded() {
        boolean[] overloaded = new boolean[graph.size()];
        for (int i = 0; i < overloaded.length; i++) {
            overloaded[i] = isOverloaded(i);
        }
        return overloaded;
    }

    private boolean[] saturated() {
        boolean[] saturated = new boolean[graph.size()];
        for (int i = 0; i < saturated.length; i++) {
            saturated[i] = utilisation[i] >= configuration.saturation();
        }
        return saturated;
    }
}
