package io.eyewall.tail.recording;

import static io.eyewall.tail.recording.TestTopology.DEFAULT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.io.Input;
import io.eyewall.client.seam.Stamped;
import io.eyewall.client.seam.woven.WireHolder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.api.Test;

class StampWireTest {

    private static final long OFFSET_NS = 5_000_000_000_000L;
    private static final long ERROR_NS = 40_000;

    private final TestTopology topology = new TestTopology();
    private final FakeClock clock = new FakeClock();
    private final Recorded sent = Recorded.with(LatencyRecordingConfiguration.RECORDING, "all");
    private final Recorded received = Recorded.with(LatencyRecordingConfiguration.RECORDING, "all");
    /** The sender's clock shows more than the receiver's. */
    private final WorkerClock sender = new WorkerClock("a:6700", OFFSET_NS, ERROR_NS);
    private final TransferQueueProbe transferQueue =
        new TransferQueueProbe(clock, sent.recorders(), task -> new WorkerClock("b:6700", -OFFSET_NS, ERROR_NS));
    private final KryoTupleSerializer recording = serializer(new StampWire(clock, sent.recorders(), task -> sender));
    private final KryoTupleSerializer upstream = serializer(null);
    private final KryoTupleDeserializer recordingReceiver =
        deserializer(new StampWire(() -> clock.nanoTime() - OFFSET_NS, received.recorders(), task -> sender));
    private final KryoTupleDeserializer upstreamReceiver = deserializer(null);

    @Test
    void shouldTakeTheStampAlongOnTheReceiversClock() {
        long rootNs = clock.pass(OFFSET_NS);
        LatencyStamp stamp = new LatencyStamp(rootNs, rootNs - 7, rootNs + 100, 1_000);
        stamp.offeredAgainNs = rootNs + 300;
        TupleImpl tuple = stamped(stamp, "word", 5L);
        clock.pass(1_000);
        TupleImpl read = recordingReceiver.deserialize(recording.serialize(tuple));

        LatencyStamp arrived = LatencyStamp.of(read);
        assertEquals(List.of("word", 5L), read.getValues());
        assertEquals(rootNs - OFFSET_NS, arrived.rootNs);
        assertEquals(rootNs - 7 - OFFSET_NS, arrived.dueNs);
        assertEquals(rootNs + 100 - OFFSET_NS, arrived.emittedNs);
        assertEquals(rootNs + 300 - OFFSET_NS, arrived.offeredAgainNs);
        assertEquals(1_000 + ERROR_NS, arrived.errorNs, "errors add up from host to host");
        assertEquals(clock.nanoTime() - OFFSET_NS, arrived.arrivedNs);
        assertEquals(arrived.arrivedNs, arrived.readyNs());
    }

    @Test
    void shouldKeepWhatIsMissingMissingWhenClocksDiffer() {
        clock.pass(OFFSET_NS);
        LatencyStamp arrived = LatencyStamp.of(recordingReceiver.deserialize(recording.serialize(stamped("word"))));
        assertEquals(0, arrived.dueNs);
        assertEquals(0, arrived.offeredAgainNs);
    }

    @Test
    void shouldRecordEveryPartOfTheWayBetweenWorkers() {
        clock.pass(OFFSET_NS);
        TaskMessage message = new TaskMessage(topology.task("split", 0), recording.serialize(stamped("word")));
        clock.pass(100);
        transferQueue.inserting(message);
        clock.pass(200);
        transferQueue.inserting(message); // Its batch is offered again, the queue having been full.
        clock.pass(400);
        transferQueue.taken(message);
        clock.pass(800);
        recordingReceiver.deserialize(message.message());

        assertEquals(List.of(300L), sent.values(HopKey.ofWorker(MeasuringPoint.EMIT_TO_ENQUEUE, "b:6700")));
        assertEquals(List.of(400L), sent.values(HopKey.ofWorker(MeasuringPoint.TRANSFER_QUEUE_WAIT, "b:6700")));
        assertEquals(List.of(0L), sent.values(new HopKey(MeasuringPoint.SERIALIZE, "words", topology.task("words", 0), "words:default")));
        assertEquals(List.of(800L), received.values(HopKey.ofWorker(MeasuringPoint.NETWORK, "a:6700")));
        assertEquals(List.of(0L), received.values(HopKey.ofWorker(MeasuringPoint.DESERIALIZE, "words:default")));
        assertEquals(ERROR_NS, received.errorBoundNs(MeasuringPoint.NETWORK));
        assertEquals(0, received.errorBoundNs(MeasuringPoint.DESERIALIZE));
    }

    @Test
    void shouldDropTheNetworkSampleWhenNothingIsKnownOfTheSendersClock() {
        KryoTupleDeserializer stranger = deserializer(new StampWire(clock, received.recorders(),
            task -> new WorkerClock("unknown", 0, WorkerClock.UNKNOWN_ERROR_NS)));
        LatencyStamp arrived = LatencyStamp.of(stranger.deserialize(recording.serialize(stamped("word"))));

        assertEquals(0, received.of(MeasuringPoint.NETWORK).getTotalCount());
        assertEquals(1, received.dropped(MeasuringPoint.NETWORK));
        assertEquals(1, received.of(MeasuringPoint.DESERIALIZE).getTotalCount());
        assertTrue(arrived.errorNs >= WorkerClock.UNKNOWN_ERROR_NS);
    }

    @Test
    void shouldRecordSerializingOnceWhenATupleIsSerializedAnewForEachOffer() {
        TupleImpl tuple = stamped("word");
        assertArrayEquals(recording.serialize(tuple), recording.serialize(tuple));
        assertEquals(1, sent.of(MeasuringPoint.SERIALIZE).getTotalCount());
    }

    @Test
    void shouldDeliverTheTupleWhenOnlyTheSenderRecords() {
        for (TupleImpl tuple : List.of(stamped("word", 5L), topology.tuple("words", DEFAULT, "word", 5L))) {
            TupleImpl read = upstreamReceiver.deserialize(recording.serialize(tuple));
            assertEquals(tuple.getValues(), read.getValues());
            assertNull(LatencyStamp.of(read));
        }
    }

    @Test
    void shouldDeliverTheTupleWhenOnlyTheReceiverRecords() {
        TupleImpl read = recordingReceiver.deserialize(upstream.serialize(stamped("word", 5L)));
        assertEquals(List.of("word", 5L), read.getValues());
        assertNull(LatencyStamp.of(read));
        assertTrue(received.points().isEmpty());
    }

    @Test
    void shouldAddOneByteToATupleThatIsNotRecorded() {
        TupleImpl plain = topology.tuple("words", DEFAULT, "word");
        assertEquals(upstream.serialize(plain).length + 1, recording.serialize(plain).length);
        assertEquals(upstream.serialize(plain).length + StampTrailer.LENGTH, recording.serialize(stamped("word")).length);
        assertNull(LatencyStamp.of(recordingReceiver.deserialize(recording.serialize(plain))));
    }

    @Test
    void shouldTakeNoTupleForARecordedOneWhateverItEndsWith() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] payload = new byte[random.nextInt(120)];
            random.nextBytes(payload);
            if (payload.length > 0 && random.nextBoolean()) {
                payload[payload.length - 1] = (byte) 0xE1;
            }
            TupleImpl tuple = topology.tuple("words", DEFAULT, (Object) payload);
            for (KryoTupleSerializer serializer : List.of(upstream, recording)) {
                byte[] bytes = serializer.serialize(tuple);
                TaskMessage message = new TaskMessage(3, bytes.clone());
                if (serializer == recording) {
                    transferQueue.inserting(message);
                    transferQueue.taken(message);
                }
                assertArrayEquals(bytes, message.message(), "bytes of a tuple that is not recorded stay as they are");
                TupleImpl read = recordingReceiver.deserialize(message.message());
                assertArrayEquals(payload, read.getBinary(0));
                assertNull(LatencyStamp.of(read));
            }
        }
        assertTrue(received.points().isEmpty());
    }

    @Test
    void shouldIgnoreWhatIsNoStampBehindTheTuple() {
        SplittableRandom random = new SplittableRandom(11);
        byte[] own = upstream.serialize(topology.tuple("words", DEFAULT, "word"));
        for (int i = 0; i < 20_000; i++) {
            byte[] behind = new byte[random.nextInt(2 * StampTrailer.LENGTH)];
            random.nextBytes(behind);
            byte[] bytes = Arrays.copyOf(own, own.length + behind.length);
            System.arraycopy(behind, 0, bytes, own.length, behind.length);
            boolean stamp = behind.length == StampTrailer.LENGTH && behind[behind.length - 1] == (byte) 0xE1;

            TupleImpl read = recordingReceiver.deserialize(bytes);
            assertEquals(List.of("word"), read.getValues());
            assertEquals(stamp, LatencyStamp.of(read) != null);
        }
    }

    @Test
    void shouldDropSamplesAndNothingElseWhenAStampHoldsNonsense() {
        SplittableRandom random = new SplittableRandom(13);
        byte[] own = upstream.serialize(topology.tuple("words", DEFAULT, "word"));
        InputHops hops = new InputHops(received.recorders(), "split", 3, "words:default");
        int messages = 5_000;
        for (int i = 0; i < messages; i++) {
            byte[] bytes = Arrays.copyOf(own, own.length + StampTrailer.LENGTH);
            for (int at = own.length; at < bytes.length - 1; at++) {
                bytes[at] = (byte) random.nextInt();
            }
            bytes[bytes.length - 1] = (byte) 0xE1;
            TupleImpl read = recordingReceiver.deserialize(bytes);
            assertEquals(List.of("word"), read.getValues());
            LatencyStamp stamp = LatencyStamp.of(read);
            assertNotNull(stamp);
            hops.taken(stamp, clock.nanoTime());
            hops.executed(stamp, clock.nanoTime(), clock.nanoTime());
            hops.acked(stamp, clock.nanoTime());
        }
        assertEquals(messages, received.dropped(MeasuringPoint.NETWORK) + received.of(MeasuringPoint.NETWORK).getTotalCount());
        assertEquals(messages, received.dropped(MeasuringPoint.END_TO_END) + received.of(MeasuringPoint.END_TO_END).getTotalCount());
        assertTrue(received.dropped(MeasuringPoint.END_TO_END) > messages * 0.9);
    }

    @Test
    void shouldReadNoStampThatIsCutShort() {
        byte[] whole = recording.serialize(stamped("word"));
        int own = whole.length - StampTrailer.LENGTH;
        for (int length = own; length < whole.length; length++) {
            assertNull(LatencyStamp.of(recordingReceiver.deserialize(Arrays.copyOf(whole, length))));
        }
    }

    @Test
    void shouldPutTheTimesWhereTheyAreRead() {
        byte[] bytes = recording.serialize(stamped("word"));
        StampTrailer.setEnqueuedNs(bytes, 0x0102030405060708L);
        StampTrailer.setSentNs(bytes, -2);
        assertEquals(0x0102030405060708L, StampTrailer.enqueuedNs(bytes));
        assertEquals(-2, StampTrailer.sentNs(bytes));
        assertEquals(-2, StampTrailer.sentNs(new Input(bytes)));
    }

    private TupleImpl stamped(Object... values) {
        return stamped(new LatencyStamp(clock.nanoTime(), 0, clock.nanoTime(), 0), values);
    }

    private TupleImpl stamped(LatencyStamp stamp, Object... values) {
        TupleImpl tuple = topology.tuple("words", DEFAULT, values);
        ((Stamped) tuple).setEyewallStamp(stamp);
        return tuple;
    }

    private KryoTupleSerializer serializer(StampWire wire) {
        KryoTupleSerializer serializer = new KryoTupleSerializer(topology.conf(), topology.context());
        ((WireHolder) serializer).setEyewallWire(wire);
        return serializer;
    }

    private KryoTupleDeserializer deserializer(StampWire wire) {
        KryoTupleDeserializer deserializer = new KryoTupleDeserializer(topology.conf(), topology.context());
        ((WireHolder) deserializer).setEyewallWire(wire);
        return deserializer;
    }
}
