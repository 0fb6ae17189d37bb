package io.eyewall.web.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.stats.StatsUtil;
import org.apache.storm.utils.Utils;

/**
 * A topology as a graph, and the figures of its streams: {@code visualization}, {@code visualization-init} and {@code metrics}. Components
 * and streams are in the order of their names.
 */
public final class GraphJson {

    private static final int STREAMS_PER_ROW = 4;
    private static final Pattern ODD = Pattern.compile("[^A-Za-z_\\-:.]");

    private final StormTopology topology;
    private final String topologyId;
    private final String window;
    private final boolean system;
    private final Map<String, List<ExecutorSummary>> executors = new TreeMap<>();

    /**
     * A topology with its executors.
     *
     * @param topology with Storm's own components, such as ackers
     * @param system whether Storm's own components and streams count
     */
    public GraphJson(StormTopology topology, String topologyId, List<ExecutorSummary> executors, String window, boolean system) {
        this.topology = topology;
        this.topologyId = topologyId;
        this.window = window;
        this.system = system;
        for (ExecutorSummary executor : executors) {
            if (system || !Utils.isSystemId(executor.get_component_id())) {
                this.executors.computeIfAbsent(executor.get_component_id(), id -> new ArrayList<>()).add(executor);
            }
        }
    }

    /**
     * {@code visualization}: the components by their ids.
     *
     * @param summed whether a component has the sum over its executors, of which there may be thousands, in the place of each of them
     */
    public Map<String, Object> components(boolean summed) {
        Map<String, Object> json = new LinkedHashMap<>();
        executors.forEach((id, ofComponent) -> {
            SpoutSpec spout = topology.get_spouts().get(id);
            Bolt bolt = topology.get_bolts().get(id);
            if (spout != null) {
                json.put(id, component(id, ofComponent, "spout", 0.0, spout.get_common(), summed));
            } else if (bolt != null) {
                double capacity = StatsUtil.computeBoltCapacity(ofComponent);
                json.put(id, component(id, ofComponent, "bolt", capacity, bolt.get_common(), summed));
            }
        });
        return json;
    }

    /** {@code visualization-init}: the streams that something reads, each once, in rows of four. */
    public Map<String, Object> streams() {
        Set<String> streams = new LinkedHashSet<>();
        executors.keySet().forEach(id -> {
            Bolt bolt = topology.get_bolts().get(id);
            if (bolt != null) {
                new TreeMap<>(bolt.get_common().get_inputs()).keySet().stream().map(GlobalStreamId::get_streamId)
                    .filter(this::counts).forEach(streams::add);
            }
        });
        List<Map<String, Object>> boxes = streams.stream().map(stream -> {
            Map<String, Object> box = new LinkedHashMap<>();
            box.put(":stream", stream);
            box.put(":sani-stream", sanitized(stream));
            box.put(":checked", !Utils.isSystemId(stream));
            return box;
        }).toList();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int first = 0; first < boxes.size(); first += STREAMS_PER_ROW) {
            rows.add(Map.of(":row", boxes.subList(first, Math.min(boxes.size(), first + STREAMS_PER_ROW))));
        }
        return Map.of("visualizationTable", rows);
    }

    /** {@code metrics}: what every component has sent and received, by stream. */
    public Map<String, Object> metrics() {
        List<Map<String, Object>> spouts = new ArrayList<>();
        List<Map<String, Object>> bolts = new ArrayList<>();
        executors.forEach((id, ofComponent) -> {
            if (topology.get_spouts().containsKey(id)) {
                spouts.add(new StreamFigures(ofComponent, window, this::counts).spout(id));
            } else if (topology.get_bolts().containsKey(id)) {
                bolts.add(new StreamFigures(ofComponent, window, this::counts).bolt(id));
            }
        });
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("window", window);
        json.put("windowHint", Values.windowHint(window));
        // The name that upstream's example has; its table of fields has the other.
        json.put("window-hint", Values.windowHint(window));
        json.put("spouts", spouts);
        json.put("bolts", bolts);
        return json;
    }

    private Map<String, Object> component(String id, List<ExecutorSummary> ofComponent, String type, double capacity,
            ComponentCommon common, boolean summed) {
        StreamFigures figures = new StreamFigures(ofComponent, window, this::counts);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(":type", type);
        json.put(":capacity", capacity);
        json.put(":latency", type.equals("spout") ? figures.completeLatencyMs() : figures.processLatencyMs());
        json.put(":transferred", figures.transferred());
        json.put(":stats", summed ? List.of(sum(ofComponent)) : ofComponent.stream().map(GraphJson::executor).toList());
        json.put(":link", "/component.html?id=" + Utils.urlEncodeUtf8(id) + "&topology_id=" + Utils.urlEncodeUtf8(topologyId));
        json.put(":inputs", inputs(common.get_inputs()));
        return json;
    }

    private static Map<String, Object> executor(ExecutorSummary executor) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(":host", executor.get_host());
        json.put(":port", executor.get_port());
        json.put(":uptime_secs", executor.get_uptime_secs());
        json.put(":transferred", executor.is_set_stats() ? transferred(List.of(executor)) : null);
        return json;
    }

    private static Map<String, Object> sum(List<ExecutorSummary> executors) {
        return Map.of(":transferred", transferred(executors));
    }

    /** What went over each stream, by windows. */
    private static Map<String, Map<String, Long>> transferred(List<ExecutorSummary> executors) {
        Map<String, Map<String, Long>> transferred = new TreeMap<>();
        executors.stream().filter(ExecutorSummary::is_set_stats).forEach(executor ->
            executor.get_stats().get_transferred().forEach((window, streams) -> {
                Map<String, Long> byStream = transferred.computeIfAbsent(window, each -> new TreeMap<>());
                streams.forEach((stream, count) -> byStream.merge(sanitized(stream), count, Long::sum));
            }));
        return transferred;
    }

    private List<Map<String, Object>> inputs(Map<GlobalStreamId, Grouping> inputs) {
        List<Map<String, Object>> json = new ArrayList<>();
        new TreeMap<>(inputs).forEach((stream, grouping) -> {
            Map<String, Object> input = new LinkedHashMap<>();
            input.put(":component", stream.get_componentId());
            input.put(":stream", stream.get_streamId());
            input.put(":sani-stream", sanitized(stream.get_streamId()));
            input.put(":grouping", grouping.getSetField().getFieldName());
            json.add(input);
        });
        return json;
    }

    private boolean counts(String stream) {
        return system || !Utils.isSystemId(stream);
    }

    /** A stream's name as a name in HTML: upstream's rule, which puts an "_s" before names that do not begin with a letter. */
    private static String sanitized(String stream) {
        String named = !stream.isEmpty() && Character.isLetter(stream.charAt(0)) && stream.charAt(0) < 0x80 ? stream : "\\s" + stream;
        return ODD.matcher(named).replaceAll("_");
    }
}
