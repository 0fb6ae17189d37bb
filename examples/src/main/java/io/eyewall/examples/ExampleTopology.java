package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import java.io.IOException;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * A topology that can be submitted by name and that knows what its sinks must report.
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
     * Whether its spouts read the input file, so that there must be one.
     */
    default boolean readsInput() {
        return true;
    }

    /**
     * What the topology needs in its configuration, whoever submits it.
     */
    default Map<String, Object> requiredConfiguration() {
        return Map.of();
    }

    /**
     * The components and the streams between them.
     */
    StormTopology build(ExampleConfiguration configuration);

    /**
     * The self-check: how often each sink must have counted each key once all records were processed, recomputed from the input alone.
     * Without failures the counts are equal. After failures, and after the death of workers, they are at least these and there is no other
     * key, unless the topology says that it keeps in memory what it counts.
     *
     * @param configuration with a finite number of records
     * @return for each sink its keys and counts, as {@link io.eyewall.examples.operator.ResultFile} reads them
     * @throws IOException when the input cannot be read
     */
    Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException;
}
