package io.eyewall.web.json;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.scheduler.resource.normalization.NormalizedResourceRequest;

/** The forms that single values have in the REST API. */
public final class Values {

    /** The window of all figures since a topology was submitted. */
    public static final String ALL_TIME = ":all-time";

    /** The windows that Storm keeps figures for, in seconds, and all time. */
    public static final List<String> WINDOWS = List.of("600", "10800", "86400", ALL_TIME);

    private static final int SECS_PER_MINUTE = 60;
    private static final int MINUTES_PER_HOUR = 60;
    private static final int HOURS_PER_DAY = 24;

    private Values() {
    }

    /** A duration from days to seconds, without the units above the first that is not zero: {@code 1d 0h 2m 3s}. */
    public static String duration(long secs) {
        long minutes = secs / SECS_PER_MINUTE;
        long hours = minutes / MINUTES_PER_HOUR;
        long days = hours / HOURS_PER_DAY;
        StringBuilder text = new StringBuilder();
        if (days > 0) {
            text.append(days).append("d ");
        }
        if (hours > 0) {
            text.append(hours % HOURS_PER_DAY).append("h ");
        }
        if (minutes > 0) {
            text.append(minutes % MINUTES_PER_HOUR).append("m ");
        }
        return text.append(secs % SECS_PER_MINUTE).append('s').toString();
    }

    /** A window as people read it. */
    static String windowHint(String window) {
        return window.equals(ALL_TIME) ? "All time" : duration(Long.parseLong(window));
    }

    /** A latency in milliseconds, a capacity or a percentage: a string with three digits behind the point. */
    static String number(Double value) {
        return value == null ? "0" : String.format(Locale.ROOT, "%.3f", value);
    }

    /** Resources other than CPU and memory, as one line in the order of their names; null if nothing is known. */
    static String genericResources(Map<String, Double> resources) {
        if (resources == null) {
            return null;
        }
        Map<String, Double> generic = new TreeMap<>(resources);
        NormalizedResourceRequest.removeNonGenericResources(generic);
        StringBuilder line = new StringBuilder();
        generic.forEach((name, amount) -> line.append(line.isEmpty() ? "" : " ").append(name).append('=').append(amount));
        return line.toString();
    }

    /** The memory that a Supervisor offers, in MB. */
    static double memory(Map<String, Double> resources) {
        return resource(resources, Constants.COMMON_TOTAL_MEMORY_RESOURCE_NAME, Config.SUPERVISOR_MEMORY_CAPACITY_MB);
    }

    /** The CPU that a Supervisor offers; 100 is a core. */
    static double cpu(Map<String, Double> resources) {
        return resource(resources, Constants.COMMON_CPU_RESOURCE_NAME, Config.SUPERVISOR_CPU_CAPACITY);
    }

    /** Adds what a component asks for, in MB and per cent of a core; adds nothing if that is not known. */
    static void putRequested(Map<String, Object> json, Map<String, Double> resources, String genericName) {
        if (resources != null) {
            json.put("requestedMemOnHeap", resources.get(Constants.COMMON_ONHEAP_MEMORY_RESOURCE_NAME));
            json.put("requestedMemOffHeap", resources.get(Constants.COMMON_OFFHEAP_MEMORY_RESOURCE_NAME));
            json.put("requestedCpu", resources.get(Constants.COMMON_CPU_RESOURCE_NAME));
            json.put(genericName, genericResources(resources));
        }
    }

    private static double resource(Map<String, Double> resources, String name, String olderName) {
        Double value = resources == null ? null : resources.getOrDefault(name, resources.get(olderName));
        return value == null ? 0 : value;
    }
}
