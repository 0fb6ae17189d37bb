package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKey;
import io.eyewall.examples.configuration.ExampleKeys;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.ComponentConfigurationDeclarer;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;

/**
 * Puts a topology together, with the executors and tasks that the configuration gives each component.
 */
public final class TopologyAssembly {

    private static final int RESULT_INTERVAL_SEC = 1;

    private final TopologyBuilder builder = new TopologyBuilder();
    private final ExampleConfiguration configuration;

    public TopologyAssembly(ExampleConfiguration configuration) {
        this.configuration = configuration;
    }

    /**
     * Adds a spout that emits a source's messages.
     */
    public void spout(String component, MessageSource source) {
        spout(component, source, 0, 1);
    }

    /**
     * Adds one of several spouts that share the records and the rate.
     *
     * @param spoutIndex from 0
     */
    public void spout(String component, MessageSource source, int spoutIndex, int spoutCount) {
        PacedSpout spout = new PacedSpout(source, spoutIndex, spoutCount);
        setTasks(component, 1, builder.setSpout(component, spout, executors(component, 1)));
    }

    /**
     * Adds a bolt that rewrites or drops texts, at the topology's cost per message.
     */
    public BoltDeclarer working(String component, TextFunction function) {
        return bolt(component, new FunctionBolt(LineSource.TEXT_FIELDS, function.onTuples(), true), 1);
    }

    /**
     * Adds a bolt that rewrites or drops texts at no extra cost.
     */
    public BoltDeclarer operator(String component, TextFunction function) {
        return bolt(component, new FunctionBolt(LineSource.TEXT_FIELDS, function.onTuples(), false), 1);
    }

    /**
     * Adds any other bolt in the middle.
     *
     * @param defaultExecutors when the configuration says nothing
     */
    public BoltDeclarer bolt(String component, IRichBolt bolt, int defaultExecutors) {
        return setTasks(component, defaultExecutors, builder.setBolt(component, bolt, executors(component, defaultExecutors)));
    }

    /**
     * Adds a bolt at the end of a stream, which gets a tick each second when results are asked for.
     *
     * @param defaultExecutors when the configuration says nothing
     */
    public BoltDeclarer sink(String component, IRichBolt bolt, int defaultExecutors) {
        BoltDeclarer declarer = bolt(component, bolt, defaultExecutors);
        if (configuration.text(ExampleKeys.RESULTS_DIR).isPresent()) {
            declarer.addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, RESULT_INTERVAL_SEC);
        }
        return declarer;
    }

    /**
     * The topology so far.
     */
    public StormTopology topology() {
        return builder.createTopology();
    }

    private <T extends ComponentConfigurationDeclarer<?>> T setTasks(String component, int defaultExecutors, T declarer) {
        long tasks = perComponent(ExampleKeys.TASKS, component);
        declarer.setNumTasks(tasks == 0 ? executors(component, defaultExecutors) : (int) tasks);
        return declarer;
    }

    private int executors(String component, int defaultExecutors) {
        long executors = perComponent(ExampleKeys.PARALLELISM, component);
        return executors == 0 ? defaultExecutors : (int) executors;
    }

    private long perComponent(ExampleKey key, String component) {
        return configuration.override(key, component).orElse(configuration.number(key));
    }
}
