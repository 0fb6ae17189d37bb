package io.eyewall.scheduler.scaling;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * An order and, once there is one, its answer: the contents of one blob, which the caller makes and the scheduler completes; and the form
 * of the blob that holds the action log. JSON.
 *
 * @param order the order
 * @param answer the answer, or null
 * @param answeredMs when it was given, in milliseconds since 1970
 */
public record ScalingRecord(ScalingRequest order, ScalingResponse answer, long answeredMs) {

    /** How the keys of these blobs begin; the order's id follows. */
    public static final String KEY_PREFIX = "eyewall-scaling-order-";
    /** The key of the action log. */
    public static final String LOG_KEY = "eyewall-scaling-log";

    /** An order without an answer. */
    public static ScalingRecord of(ScalingRequest order) {
        return new ScalingRecord(order, null, 0);
    }

    /** The same order with its answer. */
    public ScalingRecord answered(ScalingResponse with, long nowMs) {
        return new ScalingRecord(order, with, nowMs);
    }

    public Optional<ScalingResponse> findAnswer() {
        return Optional.ofNullable(answer);
    }

    /** The key of its blob. */
    public String key() {
        return KEY_PREFIX + order.id();
    }

    /** The contents of its blob. */
    public byte[] toBytes() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("order", order.toJson());
        if (answer != null) {
            json.put("answer", answer.toJson());
            json.put("answered-ms", answeredMs);
        }
        return JSONValue.toJSONString(json).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The post in a blob.
     *
     * @throws IllegalArgumentException if the contents are something else
     */
    public static ScalingRecord of(byte[] contents) {
        try {
            Map<String, Object> json = map(JSONValue.parse(contents));
            ScalingRecord post = of(ScalingRequest.of(map(json.get("order"))));
            return json.containsKey("answer")
                ? post.answered(ScalingResponse.of(map(json.get("answer"))), ((Number) json.get("answered-ms")).longValue())
                : post;
        } catch (ClassCastException | NullPointerException e) {
            throw new IllegalArgumentException("Not an order to scale: " + e.getMessage(), e);
        }
    }

    /** The events as contents of the log's blob: one JSON object a line. */
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
