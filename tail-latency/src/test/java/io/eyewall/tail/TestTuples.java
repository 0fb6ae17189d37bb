package io.eyewall.tail;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.TupleImpl;

/** Tuples of the component {@code words}, without a topology that runs. */
public final class TestTuples {

    private static final Fields FIELDS = new Fields("word");
    private static final GeneralTopologyContext CONTEXT = new GeneralTopologyContext(new StormTopology(), new HashMap<>(),
        Map.of(1, "words"), Map.of("words", List.of(1)), Map.of("words", Map.of("default", FIELDS, "__tick", FIELDS)), "test-1");

    private TestTuples() {
    }

    /** A tuple for a task, on the stream {@code default} or {@code __tick}. */
    public static AddressedTuple tuple(int task, String stream, Object word) {
        return new AddressedTuple(task, new TupleImpl(CONTEXT, List.of(word), "words", 1, stream));
    }
}
