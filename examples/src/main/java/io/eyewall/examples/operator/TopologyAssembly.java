package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKey;
import io.eyewall.examples.configuration.ExampleKeys;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.ComponentConfigurationDeclarer;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.SpoutDeclarer;
import org.apache.storm.topology.TopologyBuilder;

/**
 * Builds a topology, in which each component has the executors and tasks of the configuration.
 */
public final class TopologyAssembly {

    private static final int RESULT_INTERVAL_SEC = 1;

    private final TopologyBuilder builder = new TopologyBuilder();
    private final ExampleConfiguration configuration;

    public TopologyAssembly(ExampleConfiguration configuration) {
        this.configuration = configuration;
    }

    /**
     * Adds a spout that emits the messages of a source.
     */
    public void spout(String component, MessageSource source) {
        spout(component, source, 0, 1);
    }

    /**
     * Adds one of several spouts that share the records and the rate.
     *
     * @param spoutIndex from 0
     * @param spoutCount how many spouts share them
     */
    public SpoutDeclarer spout(String component, MessageSource source, int spoutIndex, int spoutCount) {
        PacedSpout spout = new PacedSpout(source, spoutIndex, spoutCount);
        return setTasks(component, 1, builder.setSpout(component, spout, executors(configuration, component, 1)));
    }

    /**
     * Adds a bolt that applies a function to texts and has the topology's cost per message.
     */
    public BoltDeclarer operatorWithWork(String component, TextFunction function) {
        return bolt(component, new FunctionBolt(LineSource.TEXT_FIELDS, function.onTuples(), true), 1);
    }

    /**
     * Adds a bolt that applies a function to texts and has no cost beyond the function's.
     */
    public BoltDeclarer operatorWithoutWork(String component, TextFunction function) {
        return bolt(component, new FunctionBolt(LineSource.TEXT_FIELDS, function.onTuples(), false), 1);
    }

    /**
     * Adds any other bolt that emits.
     *
     * @param defaultExecutors how many executors it has if the configuration does not say
     */
    public BoltDeclarer bolt(String component, IRichBolt bolt, int defaultExecutors) {
        int executors = executors(configuration, component, defaultExecutors);
        return setTasks(component, defaultExecutors, builder.setBolt(component, bolt, executors));
    }

    /**
     * Adds a bolt at the end of a stream, which receives a tick per second if results are to be written.
     *
     * @param defaultExecutors how many executors it has if the configuration does not say
     */
    public BoltDeclarer sink(String component, IRichBolt bolt, int defaultExecutors) {
        BoltDeclarer declarer = bolt(component, bolt, defaultExecutors);
        declarer.addConfigurations(sinkConfiguration(configuration));
        return declarer;
    }

    /**
     * The configuration of a component at the end of a stream: a tick per second if results are to be written.
     */
    public static Map<String, Object> sinkConfiguration(ExampleConfiguration configuration) {
        return configuration.text(ExampleKeys.RESULTS_DIR).isEmpty()
            ? Map.of() : Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, RESULT_INTERVAL_SEC);
    }

    /**
     * The number of executors of a component.
     *
     * @param defaultExecutors the number if the configuration does not say
     */
    public static int executors(ExampleConfiguration configuration, String component, int defaultExecutors) {
        long executors = perComponent(configuration, ExampleKeys.PARALLELISM, component);
        return executors == 0 ? defaultExecutors : (int) executors;
    }

    /**
     * The number of tasks of a component.
     *
     * @param defaultExecutors the number of executors if the configuration does not say
     */
    public static int tasks(ExampleConfiguration configuration, String component, int defaultExecutors) {
        long tasks = perComponent(configuration, ExampleKeys.TASKS, component);
        return tasks == 0 ? executors(configuration, component, defaultExecutors) : (int) tasks;
    }

    /**
     * Creates the topology.
     */
    public StormTopology topology() {
        return builder.createTopology();
    }

    private <T extends ComponentConfigurationDeclarer<?>> T setTasks(String component, int defaultExecutors, T declarer) {
        declarer.setNumTasks(tasks(configuration, component, defaultExecutors));
        return declarer;
    }

    private static long perComponent(ExampleConfiguration configuration, ExampleKey key, String component) {
        return configuration.override(key, component).orElse(configuration.number(key));
    }
}
