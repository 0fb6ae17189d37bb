package io.eyewall.integration.system;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.SharedClasses;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;

/**
 * Storm's own keys with values that suit many small topologies on a small machine: little memory, quick reactions, idle executors that
 * sleep. They change no result, and both installations get the same.
 */
final class QuickSettings {

    private static final String SMALL_JVM =
        " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k " + String.join(" ", SharedClasses.ofWorkers());

    /** The keys that these system properties set for all topologies, so that any of the tests can run with them. */
    private static final Map<String, String> KEYS = Map.of("eyewall.shared.memory", EngineConfiguration.SHARED_MEMORY,
        "eyewall.executor.threads", EngineConfiguration.EXECUTOR_THREADS, "eyewall.worker.mode", StreamConfiguration.MODE,
        "eyewall.transport", Config.STORM_MESSAGING_TRANSPORT);

    private QuickSettings() {
    }

    static Map<String, Object> all() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("worker.childopts", "-Xmx128m" + SMALL_JVM);
        settings.put("topology.worker.logwriter.childopts", "-Xmx32m" + SMALL_JVM);
        settings.put("topology.component.resources.onheap.memory.mb", 16.0);
        settings.put("supervisor.memory.capacity.mb", 65_536.0);
        settings.put("supervisor.cpu.capacity", 10_000.0);
        settings.put("nimbus.monitor.freq.secs", 2);
        settings.put("supervisor.monitor.frequency.secs", 1);
        settings.put("supervisor.worker.shutdown.sleep.secs", 1);
        settings.put("task.heartbeat.frequency.secs", 1);
        settings.put("executor.metrics.frequency.secs", 1);
        settings.put("task.refresh.poll.secs", 1);
        settings.put("task.credentials.poll.secs", 1);
        settings.put("topology.bolt.wait.progressive.level2.count", 10);
        settings.put("topology.backpressure.wait.progressive.level2.count", 10);
        settings.put("topology.batch.flush.interval.millis", 5);
        KEYS.forEach((property, key) -> {
            if (System.getProperty(property) != null) {
                settings.put(key, System.getProperty(property));
            }
        });
        return settings;
    }
}
