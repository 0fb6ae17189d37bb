package io.eyewall.examples;

import java.util.List;
import java.util.Optional;

/**
 * The registry of all topologies that {@link Main} can submit.
 */
public final class ExampleTopologies {

    private static final List<ExampleTopology> ALL = List.of(
        new ProcessingTopology(),
        new PageLoadTopology(),
        new WordCountTopology(),
        new ExclamationTopology(),
        new LinearTopology(),
        new DiamondTopology(),
        new StarTopology(),
        new NetworkMonitoringTopology(),
        new RtacTopology(),
        new YahooStreamingTopology(),
        new ClojureWordCountTopology(),
        new ChainTopology(),
        new DeepChainTopology(),
        PipelinesTopology.separate(),
        PipelinesTopology.shared(),
        new ConstNullTopology(),
        new ConstIdNullTopology());

    private ExampleTopologies() {
    }

    /**
     * All of them, in the order of docs/reference/examples.md.
     */
    public static List<ExampleTopology> all() {
        return ALL;
    }

    /**
     * Finds a topology by its name.
     */
    public static Optional<ExampleTopology> find(String name) {
        return ALL.stream().filter(topology -> topology.name().equals(name)).findFirst();
    }
}
