package io.eyewall.client.acking;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What spouts and bolts of a random topology run say to whoever keeps the trees, in spans of time between ticks: trees of random shape,
 * tuples anchored to several, some of them failed, forgotten, held longer or, on request, acked or failed twice.
 */
final class AckHistory {

    private static final int MAX_TUPLES = 200;

    private final Random random;
    private final boolean twice;
    private final List<List<Event>> spans = new ArrayList<>();
    private final List<TreeTuple> tuples = new ArrayList<>();
    private final RootIds roots;
    private List<Event> span = new ArrayList<>();

    private AckHistory(Random random, int spoutTask, boolean twice) {
        this.random = random;
        this.twice = twice;
        roots = new RootIds(spoutTask, random.nextLong());
    }

    /** The spans of a run. */
    static List<List<Event>> random(Random random, int spoutTask, int messages, boolean twice) {
        AckHistory history = new AckHistory(random, spoutTask, twice);
        int left = messages;
        int handled = 0;
        while (left > 0 || (!history.tuples.isEmpty() && handled < MAX_TUPLES)) {
            if (random.nextInt(30) == 0) {
                history.endSpan();
            } else if (left > 0 && (history.tuples.isEmpty() || random.nextInt(3) == 0)) {
                history.emit();
                left--;
            } else {
                history.handle();
                handled++;
            }
        }
        for (int i = 0; i < 4; i++) {
            history.endSpan();
        }
        return history.spans;
    }

    private void endSpan() {
        spans.add(span);
        span = new ArrayList<>();
    }

    private void emit() {
        long root = roots.next();
        long outstanding = 0;
        for (int i = random.nextInt(4); i > 0; i--) {
            long id = random.nextLong();
            outstanding ^= id;
            tuples.add(new TreeTuple(new HashMap<>(Map.of(root, id))));
        }
        span.add(new Event(Kind.EMIT, root, outstanding));
    }

    /** A bolt takes one of the tuples, emits some anchored to it and perhaps to another that it holds, and acks, fails or forgets it. */
    private void handle() {
        TreeTuple tuple = tuples.remove(random.nextInt(tuples.size()));
        for (int i = tuples.size() > MAX_TUPLES / 4 ? 0 : random.nextInt(5) / 2; i > 0; i--) {
            TreeTuple child = new TreeTuple(new HashMap<>());
            anchor(child, tuple);
            if (!tuples.isEmpty() && random.nextInt(3) == 0) {
                anchor(child, tuples.get(random.nextInt(tuples.size())));
            }
            tuples.add(child);
        }
        int choice = random.nextInt(12);
        if (choice == 0) {
            say(Kind.FAIL, tuple);
        } else if (choice == 1) {
            say(Kind.RESET_TIMEOUT, tuple);
            tuples.add(tuple);
        } else if (choice > 2) {
            say(Kind.ACK, tuple);
        }
    }

    private void say(Kind kind, TreeTuple tuple) {
        for (int times = twice && random.nextInt(5) == 0 ? 2 : 1; times > 0; times--) {
            tuple.ids.forEach((root, id) -> span.add(new Event(kind, root, kind == Kind.ACK ? id ^ tuple.emitted : 0)));
        }
    }

    private void anchor(TreeTuple child, TreeTuple anchor) {
        long id = random.nextLong();
        anchor.emitted ^= id;
        anchor.ids.keySet().forEach(root -> child.ids.merge(root, id, (one, other) -> one ^ other));
    }

    /** The same events in another order within each span. */
    static List<List<Event>> shuffled(List<List<Event>> spans, Random random) {
        return spans.stream().map(span -> {
            List<Event> shuffled = new ArrayList<>(span);
            Collections.shuffle(shuffled, random);
            return shuffled;
        }).toList();
    }

    /** What is said. */
    enum Kind { EMIT, ACK, FAIL, RESET_TIMEOUT }

    /** What is said of a root; the value is the XOR of an emit's or an ack's tuple ids, otherwise 0. */
    record Event(Kind kind, long root, long value) {
    }

    private static final class TreeTuple {
        private final Map<Long, Long> ids;
        private long emitted;

        TreeTuple(Map<Long, Long> ids) {
            this.ids = ids;
        }
    }
}
