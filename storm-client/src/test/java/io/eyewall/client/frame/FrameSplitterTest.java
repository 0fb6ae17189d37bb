package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.fuzz.LogLines;
import io.eyewall.client.seam.TupleLimit;
import io.eyewall.client.substitute.LoggedDrops;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.ITupleSerializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.junit.jupiter.api.Test;

/** A tuple that cannot leave its frame is dropped, counted and logged, and all others of the frame leave. */
class FrameSplitterTest {

    private static final int TASKS = Short.MAX_VALUE + 2;
    private static final FrameTopology TOPOLOGY = new FrameTopology(Map.of(), TASKS);

    private final LoggedDrops drops = new LoggedDrops();

    @Test
    void shouldDropOnlyTheTupleWhoseTaskStormsMessagesCannotName() {
        FrameSplitter splitter = TOPOLOGY.splitter(drops);
        assertDropsOne(splitter, TASKS, "second", "Storm's own messages go to tasks up to 32767. Give the topology fewer tasks.");
    }

    @Test
    void shouldDropOnlyTheTupleThatCannotBeSerialized() {
        KryoTupleSerializer kryo = new KryoTupleSerializer(TOPOLOGY.conf, TOPOLOGY.context);
        ITupleSerializer failing = tuple -> {
            if (tuple.getValue(0).equals("second")) {
                throw new IllegalStateException("has failed");
            }
            return kryo.serialize(tuple);
        };
        FrameSplitter splitter = new FrameSplitter(TOPOLOGY.reader(), failing, TupleLimit.NONE, drops);
        assertDropsOne(splitter, 2, "second", "IllegalStateException: has failed");
    }

    @Test
    void shouldDropOnlyTheTupleThatIsTooLongByItself() {
        TupleLimit limit = new TupleLimit(1_000, "a pigeon", "write smaller");
        FrameSplitter splitter = new FrameSplitter(TOPOLOGY.conf, TOPOLOGY.context, FrameWires.NONE, limit, drops);
        String latin = "\u00fc".repeat(600); // A frame has a byte for each character, and Kryo two.
        assertDropsOne(splitter, 2, latin, "bytes, and a pigeon carries at most 1000. Emit it in parts");
    }

    /** Splits three tuples, of which the second cannot leave, and then another frame. */
    private void assertDropsOne(FrameSplitter splitter, int task, String second, String reason) {
        OpenFrame open = new OpenFrame(new FramePool(1_024, 2));
        FrameWriter writer = TOPOLOGY.writer();
        writer.write(open, 1, TOPOLOGY.tuple("first"));
        writer.write(open, task, TOPOLOGY.tuple(second));
        writer.write(open, 3, TOPOLOGY.tuple("third"));
        try (LogLines lines = new LogLines(Level.ERROR)) {
            assertEquals(List.of(1, 3), tasks(splitter, new FrameMessage(open.complete(), 3, () -> splitter)));
            lines.assertLogged("Dropped a tuple of component words on stream default, number 1 by now: it cannot go to task " + task
                + " by itself", reason);
        }
        assertEquals(Map.of(new LoggedDrops.Source("words", "default"), 1L), drops.counts());
        assertEquals(List.of(4), tasks(splitter, new FrameMessage(TOPOLOGY.frame(4, TOPOLOGY.tuple("next")), 1, () -> splitter)));
    }

    private static List<Integer> tasks(FrameSplitter splitter, FrameMessage frame) {
        return splitter.split(frame).stream().map(TaskMessage::task).toList();
    }
}
