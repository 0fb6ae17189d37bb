package io.eyewall.scheduler.henge;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * A request to change the SLO of a running topology, and how far it has come. One blob holds one request: the client writes it, and the
 * scheduler replaces it. Clients and Nimbus can be of different versions, so the keys of the blobs and the JSON in them must not change.
 *
 * <p>A request that is ready takes effect with the next rebalance of the topology that changes no numbers. The client asks Nimbus for that
 * rebalance with its own credentials, so only a user who may rebalance a topology can change its SLO. No executor moves.
 *
 * @param id the id of the request
 * @param topologyName the topology's name
 * @param settings the keys of {@link SloConfiguration} that change, with their new values
 * @param progress how far it has come
 * @param text the new SLO, or why the request is refused
 * @param changedMs when the scheduler last replaced it, in milliseconds since 1970
 */
public record SloRequest(String id, String topologyName, Map<String, Object> settings, Progress progress, String text, long changedMs) {

    /** The beginning of the keys of these blobs; the id of the request follows. */
    public static final String KEY_PREFIX = "eyewall-slo-request-";

    /** How far a request has come. */
    public enum Progress {
        /** The scheduler has not seen it. */
        WAITING,
        /** The scheduler waits for the rebalance. */
        READY,
        /** The topology has the new SLO. */
        DONE,
        /** It is refused. */
        REFUSED
    }

    /** Copies the map. */
    public SloRequest {
        settings = Map.copyOf(settings);
    }

    /** A new request. */
    public static SloRequest of(String id, String topologyName, Map<String, Object> settings) {
        return new SloRequest(id, topologyName, settings, Progress.WAITING, "", 0);
    }

    SloRequest with(Progress next, String newText, long nowMs) {
        return new SloRequest(id, topologyName, settings, next, newText, nowMs);
    }

    /** The key of its blob. */
    public String key() {
        return KEY_PREFIX + id;
    }

    /** The contents of its blob. */
    public byte[] toBytes() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("topology", topologyName);
        json.put("settings", settings);
        json.put("progress", progress.name());
        json.put("text", text);
        json.put("changed-ms", changedMs);
        return JSONValue.toJSONString(json).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a request from its blob.
     *
     * @throws IllegalArgumentException if the contents are no request
     */
    @SuppressWarnings("unchecked")
    public static SloRequest of(byte[] contents) {
        try {
            Map<String, Object> json = (Map<String, Object>) JSONValue.parse(contents);
            return new SloRequest((String) json.get("id"), (String) json.get("topology"), (Map<String, Object>) json.get("settings"),
                Progress.valueOf((String) json.get("progress")), (String) json.get("text"), ((Number) json.get("changed-ms")).longValue());
        } catch (ClassCastException | NullPointerException | IllegalArgumentException e) {
            throw new IllegalArgumentException("it is no request for an SLO that this version understands: " + e.getMessage(), e);
        }
    }
}
