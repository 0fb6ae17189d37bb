package io.eyewall.client.settings.tail;

import io.eyewall.client.settings.Setting;
import java.util.Map;

/**
 * Where the recorded latencies of a topology can be read. The keys belong to latency recording; a scheduler reads them without its classes.
 *
 * @param recorded whether its workers record latencies
 * @param endpointPortOffset a worker serves them on its own port plus this number; 0 for not at all
 */
public record LatencyAccess(boolean recorded, int endpointPortOffset) {

    /** Key of {@link #recorded()}. */
    public static final String RECORDING = "topology.latency.recording";

    /** The default of {@link #RECORDING}. */
    public static final String RECORDING_DEFAULT = "sampled:1/1000";

    /** Key of {@link #endpointPortOffset()}. */
    public static final String ENDPOINT_PORT_OFFSET = "topology.latency.endpoint.port.offset";

    /** The setting of {@link #ENDPOINT_PORT_OFFSET}. */
    public static final Setting<Long> ENDPOINT_SETTING = Setting.integer(ENDPOINT_PORT_OFFSET, 10_000, 0, 60_000, "ports",
        "A worker that listens on port P serves its latencies over HTTP on port P plus this number. 0 switches the endpoint off.");

    /**
     * The settings of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public static LatencyAccess of(Map<String, Object> topologyConf) {
        // A plain off in a YAML file arrives here as false.
        String recording = String.valueOf(topologyConf.getOrDefault(RECORDING, RECORDING_DEFAULT));
        return new LatencyAccess(!recording.equals("off") && !recording.equals("false"), ENDPOINT_SETTING.of(topologyConf).intValue());
    }

    /** Whether they can be read. */
    public boolean isPossible() {
        return recorded && endpointPortOffset > 0;
    }
}
