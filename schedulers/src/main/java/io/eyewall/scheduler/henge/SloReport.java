package io.eyewall.scheduler.henge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * How all topologies with an SLO do: what {@code storm slo} shows, and what a client reads before it submits a topology with an SLO. The
 * scheduler writes it in every round. The key of the blob and the JSON in it must not change.
 *
 * @param timeMs when, in milliseconds since 1970
 * @param activity what the scheduler does, in one line
 * @param noRoom why there is no room for the SLO of another topology; empty if there may be room
 * @param refuses whether a topology that has no room is to be refused when it is submitted, and not only warned of
 * @param freeCores the cores that new workers can use; empty if they are not known
 * @param busyCores the cores that topologies keep busy, or kept busy when they last ran, by name
 * @param rows the topologies, by name
 */
public record SloReport(long timeMs, String activity, String noRoom, boolean refuses, OptionalDouble freeCores,
        SortedMap<String, Double> busyCores, List<Row> rows) {

    /** The report before the first round. */
    static final SloReport NONE = new SloReport(0, "", "", false, OptionalDouble.empty(), new TreeMap<>(), List.of());

    /** The key of its blob. */
    public static final String KEY = "eyewall-slo-report";
    /** The state of a topology that meets its SLO. */
    public static final String MET = "met";
    /** The state of a topology that misses its SLO. */
    public static final String MISSED = "missed";

    /**
     * A topology.
     *
     * @param topologyName its name
     * @param slo its SLO
     * @param values the present values of what the SLO is about
     * @param utility its utility; empty if figures are missing
     * @param maxUtility its utility if it met its SLO
     * @param state {@link #MET}, {@link #MISSED}, or why neither is known
     * @param lastAction the last thing that was done to it; empty if nothing was
     * @param lastActionMs when, in milliseconds since 1970; 0 if nothing was
     */
    public record Row(String topologyName, String slo, String values, OptionalDouble utility, double maxUtility, String state,
            String lastAction, long lastActionMs) {
    }

    /** Copies the collections. */
    public SloReport {
        busyCores = Collections.unmodifiableSortedMap(new TreeMap<>(busyCores));
        rows = List.copyOf(rows);
    }

    byte[] toBytes() {
        List<Object> list = new ArrayList<>();
        for (Row row : rows) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("topology", row.topologyName);
            json.put("slo", row.slo);
            json.put("values", row.values);
            row.utility.ifPresent(utility -> json.put("utility", utility));
            json.put("max-utility", row.maxUtility);
            json.put("state", row.state);
            json.put("last-action", row.lastAction);
            json.put("last-action-ms", row.lastActionMs);
            list.add(json);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time-ms", timeMs);
        json.put("activity", activity);
        if (!noRoom.isEmpty()) {
            json.put("no-room", noRoom);
        }
        json.put("admission", refuses ? HengeSettings.REFUSE : HengeSettings.WARN);
        freeCores.ifPresent(free -> json.put("free-cores", free));
        json.put("busy-cores", busyCores);
        json.put("topologies", list);
        return JSONValue.toJSONString(json).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a report from its blob.
     *
     * @throws IllegalArgumentException if the contents are no report
     */
    public static SloReport of(byte[] contents) {
        try {
            Map<?, ?> json = (Map<?, ?>) JSONValue.parse(contents);
            List<Row> rows = new ArrayList<>();
            for (Object each : (List<?>) json.get("topologies")) {
                Map<?, ?> row = (Map<?, ?>) each;
                rows.add(new Row((String) row.get("topology"), (String) row.get("slo"), (String) row.get("values"),
                    row.get("utility") == null ? OptionalDouble.empty() : OptionalDouble.of(((Number) row.get("utility")).doubleValue()),
                    ((Number) row.get("max-utility")).doubleValue(), (String) row.get("state"), (String) row.get("last-action"),
                    row.get("last-action-ms") instanceof Number time ? time.longValue() : 0));
            }
            SortedMap<String, Double> busy = new TreeMap<>();
            if (json.get("busy-cores") instanceof Map<?, ?> cores) {
                cores.forEach((name, one) -> busy.put((String) name, ((Number) one).doubleValue()));
            }
            return new SloReport(((Number) json.get("time-ms")).longValue(), (String) json.get("activity"),
                json.get("no-room") instanceof String noRoom ? noRoom : "", HengeSettings.REFUSE.equals(json.get("admission")),
                json.get("free-cores") instanceof Number free ? OptionalDouble.of(free.doubleValue()) : OptionalDouble.empty(), busy, rows);
        } catch (ClassCastException | NullPointerException e) {
            throw new IllegalArgumentException("it is no report on SLOs that this version understands: " + e.getMessage(), e);
        }
    }
}
