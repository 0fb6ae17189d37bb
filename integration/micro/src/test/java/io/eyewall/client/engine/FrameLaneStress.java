package io.eyewall.client.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.eyewall.client.frame.FramePool;
import io.eyewall.client.frame.FrameWriter;
import io.eyewall.client.frame.OutgoingFrames;
import io.eyewall.client.seam.ForwardingReceiver;
import io.eyewall.integration.micro.StormFixtures;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * That a tuple which is written into a lane while the sending thread empties that lane, or is about to wait, is sent then or found by the
 * next look, for which the sending thread is awake.
 */
public final class FrameLaneStress {

    private static final int CAPACITY = 2;
    private static final int ASLEEP = -1;
    private static final AddressedTuple TUPLE = StormFixtures.tuple(1);
    private static final NodeInfo PLACE = new NodeInfo("node", Set.of(1L));
    private static final Map<Integer, NodeInfo> HOMES = Map.of(1, PLACE);
    private static final Map<NodeInfo, IConnection> CONNECTIONS = Map.of(PLACE, new ForwardingReceiver(null) {
        @Override
        public void send(Iterator<TaskMessage> messages) {
            // The number of tuples is what counts.
        }
    });
    private static final FramePool POOL = new FramePool(1_024, CAPACITY);
    /** For the thread that emits; threads take turns at that. */
    private static final FrameWriter WRITER = StormFixtures.frameWriter();

    private FrameLaneStress() {
    }

    /** The queue and the lane of a task. */
    private static class Watched implements OutgoingFrames.Queue, JCQueue.Consumer {
        private final WakingQueue queue = new WakingQueue(StormFixtures.queue(1, CAPACITY), true, new SpaceSignal());
        private final OutgoingFrames frames = new OutgoingFrames(() -> HOMES, 1, this, POOL, () -> {
            throw new AssertionError("No frame has to be split.");
        }, connection -> true, message -> { });
        private int sent;

        void emit() {
            if (frames.offer(TUPLE, WRITER) != OutgoingFrames.Offer.TAKEN) {
                throw new AssertionError("There is space.");
            }
            queue.wake();
        }

        /** The sending thread looks once; how many tuples it sends. */
        int look() {
            sent = 0;
            queue.consume(this);
            return sent;
        }

        /** How many tuples are left for another look; {@link #ASLEEP} if there are some beside a sending thread that waits. */
        int rest() {
            boolean waited = queue.wake();
            int rest = look();
            queue.close();
            return rest > 0 && waited ? ASLEEP : rest;
        }

        @Override
        public boolean tryPublish(Object lane) {
            return queue.tryPublishAsleep(lane);
        }

        @Override
        public void hurry() {
            queue.hurry();
        }

        @Override
        public void accept(Object lane) {
            frames.take(lane);
        }

        @Override
        public void flush() {
            sent += frames.send(HOMES, CONNECTIONS, true);
        }
    }

    /** The first tuple of a lane, while the sending thread is about to wait. */
    @JCStressTest
    @Outcome(id = {"1, 0", "0, 1"}, expect = ACCEPTABLE, desc = "sent, or left for a look that comes")
    @Outcome(expect = FORBIDDEN, desc = "lost, sent twice, or asleep beside it")
    @State
    public static class First extends Watched {
        /** The sending thread has found nothing once. */
        public First() {
            look();
        }

        @Actor
        public void emitter() {
            emit();
        }

        @Actor
        public void sender(II_Result result) {
            result.r1 = look();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r2 = rest();
        }
    }

    /** The second tuple of a lane, while the sending thread takes the first. */
    @JCStressTest
    @Outcome(id = {"2, 0", "1, 1"}, expect = ACCEPTABLE, desc = "sent with the first, or left for a look that comes")
    @Outcome(expect = FORBIDDEN, desc = "lost, sent twice, or asleep beside it")
    @State
    public static class Second extends Watched {
        /** The lane is in the queue. */
        public Second() {
            emit();
        }

        @Actor
        public void emitter() {
            emit();
        }

        @Actor
        public void sender(II_Result result) {
            result.r1 = look();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r2 = rest();
        }
    }
}
