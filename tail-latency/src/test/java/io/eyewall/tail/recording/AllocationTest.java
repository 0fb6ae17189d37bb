package io.eyewall.tail.recording;

import static io.eyewall.tail.recording.TestTopology.DEFAULT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.sun.management.ThreadMXBean;
import io.eyewall.client.seam.Stamped;
import io.eyewall.client.time.NanoClock;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.storm.daemon.Acker;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.api.Test;

/** What recording allocates for a tuple is its stamp, wherever the tuple goes. */
class AllocationTest {

    private static final int TUPLES = 100_000;
    /** A header, eight longs, two flags and two references, padded; measured, since it depends on the virtual machine. */
    private static final double STAMP_BYTES = bytesOf(AllocationTest::makeStamp);
    /** What the measurement itself allocates, spread over all tuples. */
    private static final double TOLERANCE_BYTES = 0.5;

    /** How far a clock goes on from one reading to the next, again and again: from nanoseconds to minutes. */
    private static final long[] STEPS_NS = {1, 30, 500, 7_000, 80_000, 900_000, 11_000_000, 130_000_000, 1_500_000_000, 17_000_000_000L,
        3, 70_000_000_000L, 250};

    /** Where a stamp is put so that it cannot be optimized away. */
    @SuppressWarnings("UnusedVariable")
    private static volatile LatencyStamp kept;

    private final TestTopology topology = new TestTopology();
    private final Recorded recorded = Recorded.with(LatencyRecordingConfiguration.RECORDING, "all");
    private final int split = topology.task("split", 0);
    private final RecordingProbe spout = probe("words", Map.of(DEFAULT, 1));
    private final RecordingProbe bolt = probe("split", Map.of());
    private final ReceiveQueueProbe receiveQueue = new ReceiveQueueProbe(NanoClock.SYSTEM);
    /** Two streams in turn, so that what is remembered of the last one does not help. */
    private final TupleImpl[] tuples = {topology.tuple("words", DEFAULT, "word", System.nanoTime()), topology.tuple("split", "other", "x")};
    private final TupleImpl ackInit = topology.tuple("words", Acker.ACKER_INIT_STREAM_ID, 77L, 5L, 1);
    private final TupleInfo message = message();

    private int turn;

    @Test
    void shouldAllocateTheStampOnlyWhenTuplesStayInTheWorker() {
        assertEquals(2 * STAMP_BYTES, bytesOf(tupleWithinTheWorker(spout, bolt, receiveQueue)), TOLERANCE_BYTES);
        assertEquals(0, spout.pending());
    }

    /** Histograms of samples have no room for every value from the start, but keep what they have grown to. */
    @Test
    void shouldAllocateTheStampOnlyWhenSamplesAreLikeThoseBefore() {
        HopRecorders sampled = Recorded.with(LatencyRecordingConfiguration.RECORDING, "sampled:1/1000").recorders();
        int[] readings = new int[1];
        long[] nowNs = {System.nanoTime()};
        NanoClock clock = () -> nowNs[0] += STEPS_NS[readings[0]++ % STEPS_NS.length];
        RecordingProbe emitting = probe("words", Map.of(DEFAULT, 1), clock, sampled);
        Runnable tuple = tupleWithinTheWorker(emitting, probe("split", Map.of(), clock, sampled), new ReceiveQueueProbe(clock));
        for (int i = 0; i < TUPLES; i++) {
            tuple.run();
            if (i < 4) {
                sampled.all().forEach(HopRecorder::takeInterval); // Each recorder fills two histograms in turn.
            }
        }
        sampled.all().forEach(HopRecorder::takeInterval);
        assertEquals(2 * STAMP_BYTES, bytesOf(tuple), TOLERANCE_BYTES);
        assertEquals(0, emitting.pending());
    }

    private Runnable tupleWithinTheWorker(RecordingProbe spout, RecordingProbe bolt, ReceiveQueueProbe receiveQueue) {
        AddressedTuple[] addressed = {new AddressedTuple(split, tuples[0]), new AddressedTuple(split, tuples[1])};
        AddressedTuple addressedAckInit = new AddressedTuple(topology.task("__acker", 0), ackInit);
        AddressedTuple child = new AddressedTuple(split, topology.tuple("split", DEFAULT, "x"));
        List<Tuple> anchors = List.of(tuples[0]);
        return () -> {
            AddressedTuple out = addressed[turn++ & 1];
            spout.rootEmitting(DEFAULT, tuples[0].getValues());
            spout.emitting(out, false);
            spout.emitting(addressedAckInit, false);
            spout.emitted();
            spout.emitting(out, true);
            receiveQueue.inserting(out);
            bolt.executing(split, (TupleImpl) out.tuple);
            bolt.anchoring(out == addressed[0] ? anchors : null);
            bolt.emitting(child, false);
            bolt.emitted();
            bolt.acking(out.tuple);
            bolt.executed(split, (TupleImpl) out.tuple);
            spout.completed(message);
        };
    }

    @Test
    void shouldAllocateTheStampOnlyWhenTuplesGoToAnotherWorker() {
        WorkerClock[] peers = {new WorkerClock("a:1", 0, 0), new WorkerClock("b:1", 0, 0)};
        TransferQueueProbe transferQueue = new TransferQueueProbe(NanoClock.SYSTEM, recorded.recorders(), task -> peers[turn & 1]);
        StampWire wire = new StampWire(NanoClock.SYSTEM, recorded.recorders(), task -> peers[turn & 1]);
        Output output = new Output(4_096);
        TaskMessage message = new TaskMessage(split, new byte[StampTrailer.LENGTH]);
        Input input = new Input(message.message());
        for (TupleImpl tuple : tuples) {
            ((Stamped) tuple).setEyewallStamp(new LatencyStamp(System.nanoTime(), 0, System.nanoTime(), 0));
        }
        assertEquals(STAMP_BYTES, bytesOf(() -> {
            TupleImpl tuple = tuples[turn++ & 1];
            LatencyStamp.of(tuple).serialized = false;
            output.reset();
            wire.writing(tuple);
            wire.written(tuple, output);
            System.arraycopy(output.getBuffer(), 0, message.message(), 0, StampTrailer.LENGTH);
            transferQueue.inserting(message);
            transferQueue.taken(message);
            input.reset();
            wire.reading(message.message(), message.message().length);
            wire.read(tuple, input);
        }), TOLERANCE_BYTES);
        assertEquals(0, recorded.dropped(MeasuringPoint.NETWORK));
    }

    @Test
    void shouldAllocateNothingWhenTuplesAreNotSampled() {
        RecordingProbe rarely = new RecordingProbe(new Sampling(999_999_999), new SplittableRandom(1), NanoClock.SYSTEM,
            recorded.recorders(), "words", Map.of());
        StampWire wire = new StampWire(NanoClock.SYSTEM, recorded.recorders(), task -> new WorkerClock("a:1", 0, 0));
        Output output = new Output(4_096);
        AddressedTuple out = new AddressedTuple(split, tuples[0]);
        List<Tuple> anchors = List.of(tuples[0], tuples[1]);
        assertEquals(0, bytesOf(() -> {
            rarely.rootEmitting(DEFAULT, tuples[0].getValues());
            rarely.emitting(out, false);
            rarely.emitted();
            receiveQueue.inserting(out);
            bolt.executing(split, tuples[0]);
            bolt.anchoring(anchors);
            bolt.emitting(out, false);
            bolt.emitted();
            bolt.acking(tuples[0]);
            bolt.executed(split, tuples[0]);
            output.reset();
            wire.writing(tuples[0]);
            wire.written(tuples[0], output);
        }), TOLERANCE_BYTES);
    }

    /** The bytes that one run allocates in the mean, once it has run often. */
    private static double bytesOf(Runnable perTuple) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < TUPLES; i++) {
            perTuple.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < TUPLES; i++) {
            perTuple.run();
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / (double) TUPLES;
    }

    private static void makeStamp() {
        kept = new LatencyStamp(1, 2, 3, 4);
    }

    private TupleInfo message() {
        TupleInfo info = new TupleInfo();
        info.setTaskId(topology.task("words", 0));
        info.setStream(DEFAULT);
        info.setRootId(77);
        return info;
    }

    private RecordingProbe probe(String component, Map<String, Integer> dueIndexByStream) {
        return probe(component, dueIndexByStream, NanoClock.SYSTEM, recorded.recorders());
    }

    private static RecordingProbe probe(String component, Map<String, Integer> dueIndexByStream, NanoClock clock, HopRecorders recorders) {
        return new RecordingProbe(Sampling.ALL, new SplittableRandom(1), clock, recorders, component, dueIndexByStream);
    }
}
