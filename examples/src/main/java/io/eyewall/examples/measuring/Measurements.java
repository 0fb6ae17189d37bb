package io.eyewall.examples.measuring;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the measurements of a topology's tasks, if its configuration wants them.
 */
public final class Measurements {

    private static final Logger LOG = LoggerFactory.getLogger(Measurements.class);

    private Measurements() {
    }

    /**
     * Opens the measurement of a spout's task, with the tag {@code complete}: the latency from when a message was due until it is acked.
     */
    public static TaskMeasurement ofSpout(ExampleConfiguration configuration, TopologyContext context) {
        return open(configuration, context, "complete");
    }

    /**
     * Opens the measurement of a sink's task, with the tag {@code e2e}: the latency from when a message was due until it is processed.
     */
    public static TaskMeasurement ofSink(ExampleConfiguration configuration, TopologyContext context) {
        return open(configuration, context, "e2e");
    }

    /**
     * Whether the topology has ackers, so that spouts learn whether messages were processed.
     */
    public static boolean isAcking(Map<String, Object> topologyConfiguration) {
        Object ackers = topologyConfiguration.get(Config.TOPOLOGY_ACKER_EXECUTORS);
        return !(ackers instanceof Number number) || number.intValue() > 0;
    }

    private static TaskMeasurement open(ExampleConfiguration configuration, TopologyContext context, String tag) {
        Optional<String> directory = configuration.text(ExampleKeys.MEASURE_DIR);
        if (directory.isEmpty()) {
            return TaskMeasurement.OFF;
        }
        String task = context.getThisComponentId() + '-' + context.getThisTaskId();
        try {
            return ProcessMeasurements.open(Path.of(directory.get()), task, tag);
        } catch (IOException failure) {
            LOG.error("Task {} is not measured, since this host cannot write to {} = {}; the topology continues", task,
                ExampleKeys.MEASURE_DIR.name(), directory.get(), failure);
            return TaskMeasurement.OFF;
        }
    }
}
