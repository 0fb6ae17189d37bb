package io.eyewall.client.hot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/** The tuples of a simulated topology: a message's number, and how many the sending task has sent to the receiving one before. */
final class SimTuple {

    private static final int TASKS = 20;
    private static final GeneralTopologyContext CONTEXT = context();

    private SimTuple() {
    }

    /** A tuple of {@code source} for {@code target}. */
    static AddressedTuple of(int source, int target, long message, long order) {
        return new AddressedTuple(target, new TupleImpl(CONTEXT, List.of(message, order), "any", source, "default"));
    }

    /** The tuple that carries a marker. */
    static AddressedTuple of(Marker marker) {
        return new AddressedTuple(Marker.TASK, new TupleImpl(CONTEXT, marker.values(), "marker", Marker.TASK, "default"));
    }

    static long message(Tuple tuple) {
        return tuple.getLong(0);
    }

    static long order(Tuple tuple) {
        return tuple.getLong(1);
    }

    private static GeneralTopologyContext context() {
        Map<Integer, String> components = new HashMap<>();
        IntStream.rangeClosed(1, TASKS).forEach(task -> components.put(task, "any"));
        components.put(Marker.TASK, "marker");
        return new GeneralTopologyContext(new StormTopology(), new HashMap<>(), components,
            Map.of("any", IntStream.rangeClosed(1, TASKS).boxed().toList(), "marker", List.of(Marker.TASK)),
            Map.of("any", Map.of("default", new Fields("message", "order")), "marker", Map.of("default", new Fields("kind", "from", "id"))),
            "simulated-1");
    }
}
