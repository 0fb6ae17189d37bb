package io.eyewall.tail.shared;

import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.hot.PlayedMoves;
import io.eyewall.client.seam.QueueRequest;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Executors that share a queue move while it is full: nothing is lost or executed twice. More seeds than in each build are played with
 * {@code -Deyewall.simulation.seeds=100000}, others with {@code -Deyewall.simulation.first=SEED}.
 */
class SharingQueueSimulationTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLoseAndDoubleNothingWhenExecutorsThatShareMove(boolean pauses) {
        PlayedMoves.play(pauses, Queues::new);
    }

    /** One queue for all relays of a worker. */
    private static final class Queues implements PlayedMoves.Queues {
        private final Map<Object, SharedTuples> shared = new HashMap<>();

        @Override
        public WakingQueue make(Object worker, QueueRequest request, Runnable onOverflowEmpty) {
            if (!request.componentId().equals(PlayedMoves.SHARING)) {
                return new WakingQueue(request, true, new SpaceSignal(onOverflowEmpty));
            }
            SharedTuples tuples = shared.computeIfAbsent(worker, first ->
                new SharedTuples(request.sizeTuples(), request.overflowLimitTuples(), null, new SpaceSignal(onOverflowEmpty)));
            SharingQueue queue = new SharingQueue(request, tuples, true);
            tuples.join(queue);
            return queue;
        }
    }
}
