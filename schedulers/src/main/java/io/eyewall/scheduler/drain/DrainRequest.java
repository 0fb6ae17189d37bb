package io.eyewall.scheduler.drain;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * A request to empty a Supervisor, and how far that is. One blob holds one request: the client writes it, and the scheduler changes it.
 * Clients and Nimbus can be of different versions, so the key of the blob and the JSON in it must not change.
 *
 * @param supervisor the id of the Supervisor
 * @param progress how far it is
 * @param text what is still there, or why it is refused
 * @param changedMs when the progress or the text last changed, in milliseconds since 1970; 0 before Nimbus has seen the request
 */
public record DrainRequest(String supervisor, Progress progress, String text, long changedMs) {

    /** The beginning of the keys of these blobs; the id of the Supervisor follows. */
    public static final String KEY_PREFIX = "eyewall-drain-";

    /** How far a request is. */
    public enum Progress {
        /** Nimbus has not seen it. */
        WAITING,
        /** The Supervisor gets no executors, and those that it has move. */
        DRAINING,
        /** The Supervisor gets no executors and has none. */
        EMPTY,
        /** Nothing has changed. */
        REFUSED
    }

    /** A request that Nimbus has not seen. */
    public static DrainRequest of(String supervisor) {
        return new DrainRequest(supervisor, Progress.WAITING, "", 0);
    }

    /** This request with another progress. */
    DrainRequest with(Progress other, String why, long nowMs) {
        return progress == other && text.equals(why) ? this : new DrainRequest(supervisor, other, why, nowMs);
    }

    /** The key of its blob. */
    public String key() {
        return KEY_PREFIX + supervisor;
    }

    /** The contents of its blob. */
    public byte[] toBytes() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("supervisor", supervisor);
        json.put("progress", progress.name());
        json.put("text", text);
        json.put("changed-ms", changedMs);
        return JSONValue.toJSONString(json).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a request from its blob.
     *
     * @throws IllegalArgumentException if the contents are not a request
     */
    public static DrainRequest of(byte[] contents) {
        try {
            Map<?, ?> json = (Map<?, ?>) JSONValue.parse(contents);
            return new DrainRequest((String) json.get("supervisor"), Progress.valueOf((String) json.get("progress")),
                (String) json.get("text"), ((Number) json.get("changed-ms")).longValue());
        } catch (ClassCastException | NullPointerException | IllegalArgumentException e) {
            throw new IllegalArgumentException("it is no request to drain that this version understands: " + e.getMessage(), e);
        }
    }
}
