package io.eyewall.client.acking;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.List;
import org.apache.storm.shade.org.jctools.queues.MpscArrayQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The way of acks in batches from a bolt, through the kind of queue that a spout's executor has, into its ledger. */
public final class LedgerStress {

    private static final int SPOUT_TASK = 1;
    private static final long ROOT = new RootIds(SPOUT_TASK, 0).next();
    private static final long FIRST_TUPLE = 3;
    private static final long SECOND_TUPLE = 5;

    private LedgerStress() {
    }

    /** A message of two tuples is outstanding. */
    private static class OneMessage {
        final MpscArrayQueue<AckBatch> queue = new MpscArrayQueue<>(8);
        final AckOutbox outbox = new AckOutbox(List.of(SPOUT_TASK), () -> 0, (task, batch) -> queue.offer(batch));
        final Ledger<String> ledger = new Ledger<>();

        OneMessage() {
            ledger.open(ROOT, FIRST_TUPLE ^ SECOND_TUPLE, "message");
        }

        /** Applies the batches that have arrived; returns the number of messages that became complete. */
        int settle() {
            int complete = 0;
            for (AckBatch batch = queue.poll(); batch != null; batch = queue.poll()) {
                for (int i = 0; i < batch.size(); i++) {
                    complete += ledger.settle(batch.root(i), batch.value(i)) == null ? 0 : 1;
                }
            }
            return complete;
        }
    }

    /** The bolt's executor acks one tuple, a thread of the bolt's own the other. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "complete, once")
    @Outcome(expect = FORBIDDEN, desc = "an ack was lost or counted twice")
    @State
    public static class TwoThreadsAck extends OneMessage {
        @Actor
        public void executor() {
            outbox.ack(ROOT, FIRST_TUPLE);
            outbox.flush();
        }

        @Actor
        public void own() {
            outbox.sendAlone(ROOT | AckBatch.ACK, SECOND_TUPLE);
        }

        @Arbiter
        public void spout(I_Result complete) {
            complete.r1 = settle();
        }
    }

    /** The spout takes batches while they are sent, whose buffer is filled again at once. */
    @JCStressTest
    @Outcome(id = {"1, 0", "0, 1"}, expect = ACCEPTABLE, desc = "complete, once")
    @Outcome(expect = FORBIDDEN, desc = "an ack was lost, changed or counted twice")
    @State
    public static class SettledMeanwhile extends OneMessage {
        @Actor
        public void executor() {
            outbox.ack(ROOT, FIRST_TUPLE);
            outbox.flush();
            outbox.ack(ROOT, SECOND_TUPLE);
            outbox.flush();
        }

        @Actor
        public void spout(II_Result complete) {
            complete.r1 = settle();
        }

        @Arbiter
        public void rest(II_Result complete) {
            complete.r2 = settle();
        }
    }
}
