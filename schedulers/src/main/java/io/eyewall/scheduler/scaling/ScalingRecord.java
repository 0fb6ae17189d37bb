package io.eyewall.scheduler.scaling;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * A request and, once there is one, the response. One blob holds one record: the client writes the request, and the scheduler adds the
 * response. This class also has the format of the blob that holds the log. Clients and Nimbus can be of different versions, so the keys of
 * the blobs and the JSON in them must not change.
 *
 * @param request the request
 * @param response the response, or null
 * @param respondedMs the time of the response, in milliseconds since 1970
 */
public record ScalingRecord(ScalingRequest request, ScalingResponse response, long respondedMs) {

    /** The beginning of the keys of these blobs; the id of the request follows. */
    public static final String KEY_PREFIX = "eyewall-scaling-order-";
    /** The key of the blob that holds the log. */
    public static final String LOG_KEY = "eyewall-scaling-log";

    /** A record without a response. */
    public static ScalingRecord of(ScalingRequest request) {
        return new ScalingRecord(request, null, 0);
    }

    /** This record with a response. */
    public ScalingRecord withResponse(ScalingResponse given, long nowMs) {
        return new ScalingRecord(request, given, nowMs);
    }

    /** The response, if there is one. */
    public Optional<ScalingResponse> findResponse() {
        return Optional.ofNullable(response);
    }

    /** The key of its blob. */
    public String key() {
        return KEY_PREFIX + request.id();
    }

    /** The contents of its blob. */
    public byte[] toBytes() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("order", request.toJson());
        if (response != null) {
            json.put("answer", response.toJson());
            json.put("answered-ms", respondedMs);
        }
        return JSONValue.toJSONString(json).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a record from its blob.
     *
     * @throws IllegalArgumentException if the contents are not a record
     */
    public static ScalingRecord of(byte[] contents) {
        try {
            Map<String, Object> json = map(JSONValue.parse(contents));
            ScalingRecord record = of(ScalingRequest.of(map(json.get("order"))));
            return json.containsKey("answer")
                ? record.withResponse(ScalingResponse.of(map(json.get("answer"))), ((Number) json.get("answered-ms")).longValue())
                : record;
        } catch (ClassCastException | NullPointerException | IllegalArgumentException e) {
            throw new IllegalArgumentException("it is no scaling request that this version understands: " + e.getMessage(), e);
        }
    }

    /** The events as the contents of the log's blob: one JSON object per line. */
    static byte[] logBytes(List<ScalingEvent> events) {
        StringBuilder lines = new StringBuilder();
        events.forEach(event -> lines.append(JSONValue.toJSONString(event.toJson())).append('\n'));
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The events in the log's blob. */
    public static List<ScalingEvent> logEvents(byte[] contents) {
        return new String(contents, StandardCharsets.UTF_8).lines()
            .filter(line -> !line.isBlank())
            .map(line -> ScalingEvent.of(map(JSONValue.parse(line))))
            .toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object json) {
        return (Map<String, Object>) json;
    }
}
