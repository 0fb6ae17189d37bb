package io.eyewall.client.acking;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.substitute.SingleAnchorMessageId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.api.Test;

class CancelledRootsTest {

    private static final long LIFETIME_NS = 1_000;

    private long nowNs = 5;
    private final CancelledRoots cancelled = new CancelledRoots(() -> nowNs, LIFETIME_NS);

    @Test
    void shouldKnowWhatWasCancelledAndNothingElse() {
        assertFalse(cancelled.contains(7));
        cancelled.add(7);
        assertTrue(cancelled.contains(7));
        assertFalse(cancelled.contains(8));
    }

    @Test
    void shouldRememberForALifetimeAndForgetAfterTwo() {
        cancelled.add(7);
        nowNs += LIFETIME_NS;
        cancelled.add(8);
        assertTrue(cancelled.contains(7) && cancelled.contains(8));
        nowNs += LIFETIME_NS;
        assertFalse(cancelled.contains(7), "though nothing was cancelled since");
        assertTrue(cancelled.contains(8));
        nowNs += LIFETIME_NS;
        assertFalse(cancelled.contains(8));
    }

    @Property(tries = 100, seed = "5")
    void shouldTakeNoOtherRootForCancelledHoweverMany(@ForAll Random random) {
        CancelledRoots roots = new CancelledRoots(() -> nowNs, LIFETIME_NS);
        RootIds ids = new RootIds(1 + random.nextInt(1_000), random.nextLong());
        Set<Long> added = new HashSet<>();
        for (int i = 0; i < 50_000; i++) {
            long root = ids.next();
            if (random.nextInt(3) == 0) {
                roots.add(root);
                added.add(root);
                assertTrue(roots.contains(root));
            } else {
                assertFalse(roots.contains(root));
            }
        }
        assertTrue(added.stream().filter(roots::contains).count() > 1_000, "the newest are remembered");
    }

    @Test
    void shouldTakeNoticeWhenANoticeIsInsertedAndOfNothingElse() {
        CancelNotice notice = new CancelNotice(cancelled);
        notice.inserting("flush");
        notice.inserting(new AddressedTuple(AddressedTuple.BROADCAST_DEST, tuple("value", new SingleAnchorMessageId(9, 1))));
        notice.inserting(new AddressedTuple(3, tuple("value", new SingleAnchorMessageId(9, 1))));
        assertFalse(cancelled.contains(9));

        notice.inserting(new AddressedTuple(3, tuple(AckBatch.of(9 | AckBatch.CANCEL, 0, 10 | AckBatch.CANCEL, 0),
            MessageId.makeUnanchored())));
        assertTrue(cancelled.contains(9) && cancelled.contains(10));
    }

    private static TupleImpl tuple(Object value, MessageId id) {
        GeneralTopologyContext context = new GeneralTopologyContext(new StormTopology(), new HashMap<>(), Map.of(1, "words"),
            Map.of("words", List.of(1)), Map.of("words", Map.of("default", new Fields("word"))), "test-1");
        return new TupleImpl(context, List.of(value), "words", 1, "default", id);
    }
}
