package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import java.io.IOException;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * A topology that can be submitted by name, with a self-check.
 */
public interface ExampleTopology {

    /**
     * The name in the registry, lower case with hyphens.
     */
    String name();

    /**
     * Its shape in one line.
     */
    String picture();

    /**
     * Whether its spouts read the input file, which must then exist.
     */
    default boolean readsInput() {
        return true;
    }

    /**
     * The keys of Storm that the topology needs in its configuration.
     */
    default Map<String, Object> requiredConfiguration() {
        return Map.of();
    }

    /**
     * Builds the topology.
     */
    StormTopology build(ExampleConfiguration configuration);

    /**
     * The self-check: how often each sink must have counted each key after all records were processed, computed from the input alone.
     * Without failures the sinks' counts equal these. After failures, and after workers have died, they are at least as high and have no
     * other key, unless the topology documents that it keeps its counts in memory.
     *
     * @param configuration with a finite number of records
     * @return the keys and counts of each sink, as {@link io.eyewall.examples.operator.ResultFile} reads them
     * @throws IOException if the input cannot be read
     */
    Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException;
}
