package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Three workers move bolts, the first of them runs the checkpoint spout; each reads and writes the board when chance has it. */
class CheckpointsTest {

    private static final int WORKERS = 3;
    private static final int TASKS = 4;
    private static final int STEPS_UNTIL_SETTLED = 5_000;

    @Property(tries = 200)
    void shouldMoveBoltsOnlyWhileNoCheckpointIsMade(@ForAll long seed) {
        new Simulation(new Random(seed)).play();
    }

    @Test
    void shouldHoldNobodyBackWhenNoCheckpointsAreMade() {
        WorkerPlace here = new WorkerPlace("w", 0);
        TopologyView alone = new TopologyView(here, Map.of(), Map.of());
        Checkpoints none = Checkpoints.none();

        none.update(alone, 1, true, new Announcement(Set.of(1), Set.of(), Set.of(2), false, false, 0));

        assertFalse(none.asks());
        assertFalse(none.rests());
        assertFalse(none.announced(1));
        assertTrue(none.mayBoltsLeave(alone, 1));
        assertFalse(none.areResting(alone));
    }

    @Test
    void shouldBeCertainOfAnExecutorWhenItWasFreeTheSecondTime() {
        Checkpoints none = Checkpoints.none();
        List<Long> executor = List.of(2L, 2L);

        assertFalse(none.isCertain(executor, true, 1));
        assertFalse(none.isCertain(executor, true, 1));
        assertTrue(none.isCertain(executor, true, 2));
        assertFalse(none.isCertain(executor, false, 3));
        assertFalse(none.isCertain(executor, true, 4));
        none.forget(executor);
        assertFalse(none.isCertain(executor, true, 5));
        assertTrue(none.isCertain(executor, true, 6));
    }

    /** One topology from its start until it has settled. */
    private static final class Simulation {

        private final Map<WorkerPlace, Announcement> board = new TreeMap<>((one, other) -> one.port() - other.port());
        private final List<Worker> workers = new ArrayList<>();
        private final Map<Integer, WorkerPlace> assigned = new HashMap<>();
        private boolean checkpointsRun = true;
        private boolean checkpointIsMade;
        private int moves;
        /** Bolts that come, perhaps all at once, while the spout's worker says that it is to go on, which it takes back. */
        private int awaitingRecovery;
        private final Random random;

        Simulation(Random random) {
            this.random = random;
        }

        void play() {
            for (int port = 0; port < WORKERS; port++) {
                workers.add(new Worker(new WorkerPlace("w", port)));
            }
            for (int task = 1; task <= TASKS; task++) {
                assigned.put(task, workers.get(0).here);
            }
            workers.get(0).serves.addAll(assigned.keySet());
            workers.forEach(Worker::announce);
            for (int round = 0; round < 3; round++) {
                assigned.replaceAll((task, place) -> workers.get(random.nextInt(WORKERS)).here);
                run(random.nextInt(200));
            }
            run(STEPS_UNTIL_SETTLED);

            workers.forEach(worker -> assertEquals(assigned.entrySet().stream().filter(entry -> entry.getValue().equals(worker.here))
                .map(Map.Entry::getKey).collect(Collectors.toSet()), worker.serves));
            assertTrue(checkpointsRun, "checkpoints go on");
            assertTrue(awaitingRecovery <= TASKS, () -> awaitingRecovery + " of " + moves + " moves end without a state");
        }

        private void run(int steps) {
            for (int step = 0; step < steps; step++) {
                if (random.nextInt(5) == 0) {
                    checkpointIsMade = checkpointsRun && random.nextBoolean();
                }
                workers.get(random.nextInt(WORKERS)).step();
            }
        }

        /** Does what {@link RebalanceConductor} does, a read or a write at a time. */
        private final class Worker implements Checkpoints.Spout {

            private final WorkerPlace here;
            private final Checkpoints checkpoints = new Checkpoints(this, task -> true);
            private final Set<Integer> serves = new HashSet<>();
            private final Set<Integer> holds = new HashSet<>();
            private final Set<Integer> awaits = new HashSet<>();
            private final Deque<WorkerPlace> unread = new ArrayDeque<>();
            private Map<WorkerPlace, Announcement> reading = new HashMap<>();
            private long reads;

            Worker(WorkerPlace here) {
                this.here = here;
            }

            void step() {
                if (!unread.isEmpty()) {
                    WorkerPlace place = unread.remove();
                    reading.put(place, board.get(place));
                    if (unread.isEmpty()) {
                        reads++;
                        decide(new TopologyView(here, Map.copyOf(assigned), Map.copyOf(reading)));
                    }
                    return;
                }
                reading = new HashMap<>();
                List<WorkerPlace> others = new ArrayList<>(board.keySet());
                others.remove(here);
                Collections.shuffle(others, random);
                unread.addAll(others);
            }

            private void decide(TopologyView view) {
                view.assigned().forEach((task, place) -> {
                    if (place.equals(here) && !serves.contains(task)) {
                        awaits.add(task);
                    } else if (!place.equals(here)) {
                        awaits.remove(task);
                        checkpoints.forget(List.of((long) task, (long) task));
                    }
                });
                Set<Integer> able = serves.stream().filter(task -> !here.equals(view.assigned().get(task)))
                    .filter(task -> view.mayLeave(List.of(task), place -> true)).collect(Collectors.toSet());
                checkpoints.update(view, reads, !able.isEmpty(), mine());
                if (!able.isEmpty() && checkpoints.mayBoltsLeave(view, reads)) {
                    moves++;
                    assertTrue(!checkpointIsMade && !checkpointsRun, "a bolt leaves during a checkpoint, after " + moves);
                    serves.removeAll(able);
                    holds.addAll(able);
                } else if (random.nextBoolean()) {
                    holds.clear();
                }
                announce();
                for (int task : List.copyOf(awaits)) {
                    List<Long> executor = List.of((long) task, (long) task);
                    boolean free = view.mayStart(List.of(task)) && !holds.contains(task);
                    if (checkpoints.isCertain(executor, free, reads)) {
                        assertTrue(!checkpointIsMade && !checkpointsRun, "a bolt comes during a checkpoint");
                        awaitingRecovery += checkpoints.areResting(view) ? 0 : 1;
                        assertTrue(workers.stream().noneMatch(worker -> worker != this && worker.runs(task)), "a task is run twice");
                        awaits.remove(task);
                        checkpoints.forget(executor);
                        serves.add(task);
                    }
                }
            }

            private boolean runs(int task) {
                return serves.contains(task) || holds.contains(task);
            }

            private void announce() {
                board.put(here, mine());
                checkpoints.announced(reads);
            }

            private Announcement mine() {
                return new Announcement(serves, holds, awaits, checkpoints.asks(), checkpoints.rests(), 0);
            }

            @Override
            public void rest() {
                if (here.port() == 0) {
                    checkpointsRun = false;
                }
            }

            @Override
            public boolean isQuiet() {
                return here.port() == 0 && !checkpointsRun && !checkpointIsMade;
            }

            @Override
            public void resume() {
                if (here.port() == 0) {
                    checkpointsRun = true;
                }
            }
        }
    }
}
