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
 * The rates of a topology's operators as arrays, by their numbers in the graph: what was measured, or what a planner projects them to be
 * once it has added executors. For one thread.
 */
final class OperatorLoads {

    final TopologyGraph graph;
    final int[] executors;
    final double[] inputPerSec;
    final double[] executedPerSec;
    /** Share of the time that executors are busy; above 1 is what they would have to be to keep up; NaN where it is not known. */
    final double[] utilisation;
    final double[] resolutionPerSec;
    /** By the place of the link in the graph's list. */
    final double[] linkPerSec;
    final int[] linkFrom;
    final int[] linkTo;
    /** The places of the links to each operator. */
    final int[][] linksTo;

    private final CongestionConfiguration configuration;
    private final boolean throttled;

    /**
     * The loads as measured.
     */
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
        this.throttled = !anyIs(outrun()) && anyIs(saturated());
    }

    /**
     * Whether the sources are held back: no operator gets much more than it processes, yet some are busy all the time. What the sources
     * could bring in is then not known. A property of the measured loads, which a projection keeps.
     */
    boolean isThrottled() {
        return throttled;
    }

    /**
     * The operators that are congested: those that get more than {@code congestionRate} times what they process; where back-pressure hides
     * that, those that are saturated.
     */
    boolean[] congested() {
        return throttled ? saturated() : outrun();
    }

    /** How many times what it processes an operator gets; where back-pressure hides that, how busy it is. */
    double pressure(int operator) {
        return throttled ? utilisation[operator] : inputPerSec[operator] / executedPerSec[operator];
    }

    /** The sum of what the sinks process. */
    double throughputPerSec() {
        double sum = 0;
        for (int i = 0; i < graph.size(); i++) {
            sum += graph.isSink(i) ? executedPerSec[i] : 0;
        }
        return sum;
    }

    /**
     * What one executor could process if it always had something to do, tuples per second: infinite where nothing says how busy it is.
     */
    double trueRatePerExecutor(int operator) {
        if (executedPerSec[operator] == 0) {
            return Double.POSITIVE_INFINITY;
        }
        if (isOutrun(operator)) {
            return executedPerSec[operator] / executors[operator];
        }
        double busyExecutors = utilisation[operator] * executors[operator];
        return busyExecutors > 0 ? executedPerSec[operator] / busyExecutors : Double.POSITIVE_INFINITY;
    }

    /**
     * Projects what one more executor does. The operator with k executors processes and emits (k + 1) / k times as much; its children get
     * accordingly more and process what they did (Xu's thesis, section 2.2.5). Where the sources were held back, the operator's work is
     * spread over one more executor, and then everything flows faster until something is as busy as the busiest operator was before.
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

    /** Whether any of some flags is set. */
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

    private boolean isOutrun(int operator) {
        return inputPerSec[operator] - configuration.congestionRate() * executedPerSec[operator] > resolutionPerSec[operator];
    }

    private boolean[] outrun() {
        boolean[] outrun = new boolean[graph.size()];
        for (int i = 0; i < outrun.length; i++) {
            outrun[i] = isOutrun(i);
        }
        return outrun;
    }

    private boolean[] saturated() {
        boolean[] saturated = new boolean[graph.size()];
        for (int i = 0; i < saturated.length; i++) {
            saturated[i] = utilisation[i] >= configuration.saturation();
        }
        return saturated;
    }
}
