package io.eyewall.tail.output;

import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How full the receive queues of the worker's executors are, and for how long each has held its senders: the line
 * {@code eyewall-queues 1 <topologyId> <epochMs>}, then a line for each executor with its component, first task, number of tasks, load
 * from 0 to 1, overflow in tuples, and the time in milliseconds for which it has been full, 0 if it is not; separated by tabs.
 *
 * <p>A queue counts as full from the moment at which it is seen three quarters full, or with tuples that wait beside it, until it is seen
 * less than half full for some times: a queue that holds its senders back is empty in parts when they have just been let go.
 *
 * <p>Safe for any thread. One thread looks at the queues, once a second.
 */
final class QueuesPage extends TextPage {

    /** How the page begins, before the id of the topology. */
    static final String FORMAT = "eyewall-queues 1";
    private static final double FULL = 0.75;
    private static final double NOT_FULL = 0.5;
    private static final int LOOKS_UNTIL_OVER = 3;

    private final Supplier<List<WorkerQueues.Queue>> queues;
    private final String topologyId;
    private final Clock clock;
    /** By first task. Used under its own lock. */
    private final Map<Integer, Spell> spells = new HashMap<>();

    /** A time in which a queue is full, and how often it was seen not full at its end. */
    private record Spell(long sinceMs, int notFull) {
    }

    QueuesPage(Supplier<List<WorkerQueues.Queue>> queues, String topologyId, Clock clock) {
        this.queues = queues;
        this.topologyId = topologyId;
        this.clock = clock;
    }

    /** Looks at all queues. */
    void look() {
        long nowMs = clock.millis();
        List<WorkerQueues.Queue> seen = queues.get();
        synchronized (spells) {
            Set<Integer> full = new HashSet<>();
            for (WorkerQueues.Queue queue : seen) {
                Spell before = spells.get(queue.firstTask());
                Spell now = next(before, queue, nowMs);
                if (now != null) {
                    spells.put(queue.firstTask(), now);
                    full.add(queue.firstTask());
                }
            }
            spells.keySet().retainAll(full);
        }
    }

    @Override
    String text() {
        long nowMs = clock.millis();
        StringBuilder page = new StringBuilder(FORMAT).append(' ').append(topologyId).append(' ').append(nowMs).append('\n');
        synchronized (spells) {
            for (WorkerQueues.Queue queue : queues.get()) {
                Spell spell = spells.get(queue.firstTask());
                page.append(queue.component()).append('\t').append(queue.firstTask()).append('\t').append(queue.tasks()).append('\t')
                    .append(queue.load()).append('\t').append(queue.overflow()).append('\t')
                    .append(spell == null ? 0 : Math.max(1, nowMs - spell.sinceMs())).append('\n');
            }
        }
        return page.toString();
    }

    private static Spell next(Spell before, WorkerQueues.Queue queue, long nowMs) {
        boolean full = queue.load() >= FULL || queue.overflow() > 0;
        if (before == null) {
            return full ? new Spell(nowMs, 0) : null;
        }
        if (full || queue.load() >= NOT_FULL) {
            return new Spell(before.sinceMs(), 0);
        }
        return before.notFull() + 1 < LOOKS_UNTIL_OVER ? new Spell(before.sinceMs(), before.notFull() + 1) : null;
    }
}
