package io.eyewall.tail.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.stream.manager.PassageProbe;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class PassageRecordingTest {

    private static final int HEAD_BYTES = 11;
    private static final int WORDS = 300;
    private static final int REMOTE = 7;
    private static final int LOST = 8;
    private static final long AHEAD_NS = 1_000_000;

    private long nowNs = 5_000;
    private final PassageRecording recording = new PassageRecording(
        new LatencyRecordingConfiguration(
            Map.of(LatencyRecordingConfiguration.RECORDING, "all", LatencyRecordingConfiguration.PRECISION_DIGITS, 3)),
        () -> nowNs, PassageRecordingTest::clock, task -> Map.of(WORDS, "words", REMOTE, "count", LOST, "lost").get(task));

    @Test
    void shouldRecordEachPartOfTheWay() {
        ByteBuf message = message(WORDS, 4_200);

        recording.passes(message, HEAD_BYTES, false);
        nowNs += 700;
        recording.passes(message, HEAD_BYTES, true);

        assertEquals(800, valueNs("to-stream-manager/__worker/-1/words"));
        assertEquals(700, valueNs("between-stream-managers/__worker/-1/words"));
        assertEquals(5_700, StampTrailer.sentNs(message, message.writerIndex()), "the next part begins now");
    }

    @Test
    void shouldRecordHowLongAMessageStays() throws Exception {
        PassageProbe.Passage first = recording.passes(message(REMOTE, 4_200 + AHEAD_NS), HEAD_BYTES, false);
        nowNs += 300;
        first.left();
        assertEquals(300, valueNs("in-stream-manager/__worker/-1/count"));

        PassageProbe.Passage second = recording.passes(message(REMOTE, 4_900 + AHEAD_NS), HEAD_BYTES, true);
        nowNs += 400;
        Thread sender = new Thread(second::left);
        sender.start();
        sender.join();
        assertEquals(List.of(400L), recording.recorders().all().stream()
            .filter(recorder -> recorder.key().point() == MeasuringPoint.IN_STREAM_MANAGER)
            .map(recorder -> recorder.takeInterval().getMaxValue()).filter(value -> value > 0).toList(), "each thread has a recorder");
    }

    @Test
    void shouldNotWatchATupleThatIsNotRecorded() {
        ByteBuf notRecorded = Unpooled.buffer().writeZero(HEAD_BYTES + 100);

        assertSame(PassageProbe.Passage.UNWATCHED, recording.passes(notRecorded, HEAD_BYTES, false));
    }

    @Test
    void shouldKeepTheClockOfTheSender() {
        ByteBuf message = message(REMOTE, 4_200 + AHEAD_NS);

        recording.passes(message, HEAD_BYTES, true);

        assertEquals(800, valueNs("between-stream-managers/__worker/-1/count"));
        assertEquals(5_000 + AHEAD_NS, StampTrailer.sentNs(message, message.writerIndex()));
    }

    @Test
    void shouldLeaveTheStampAsItIsWhileTheClockOfTheSenderIsUnknown() {
        ByteBuf message = message(LOST, 4_200);

        recording.passes(message, HEAD_BYTES, true);

        assertEquals(4_200, StampTrailer.sentNs(message, message.writerIndex()));
        assertEquals(1, recording.recorders().all().stream().mapToLong(HopRecorder::dropped).sum());
    }

    @Test
    void shouldLeaveAnyOtherBytesAsTheyAre() {
        Random random = new Random(3);
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[random.nextInt(90)];
            random.nextBytes(bytes);
            if (bytes.length > HEAD_BYTES) {
                bytes[HEAD_BYTES] = (byte) (random.nextBoolean() ? 0x80 : 9); // No task of the topology.
            }
            ByteBuf message = Unpooled.copiedBuffer(bytes);
            recording.passes(message, Math.min(HEAD_BYTES, bytes.length), random.nextBoolean());
            assertEquals(Unpooled.wrappedBuffer(bytes), message);
        }
        ByteBuf notRecorded = Unpooled.buffer().writeZero(HEAD_BYTES + 100);
        recording.passes(notRecorded, HEAD_BYTES, false);
        assertEquals(Unpooled.buffer().writeZero(HEAD_BYTES + 100), notRecorded);
    }

    private long valueNs(String tag) {
        return recording.recorders().all().stream().filter(recorder -> recorder.key().tag().equals(tag)).findFirst().orElseThrow()
            .takeInterval().getMaxValue();
    }

    private static ByteBuf message(int task, long sentNs) {
        Output tuple = new Output(200);
        tuple.writeInt(task, true);
        tuple.writeString("values");
        StampTrailer.write(new LatencyStamp(1, 2, 3, 4), sentNs, tuple);
        return Unpooled.buffer().writeZero(HEAD_BYTES).writeBytes(tuple.toBytes());
    }

    private static WorkerClock clock(int task) {
        return task == LOST ? WorkerClock.unknown("host-3:6700")
            : new WorkerClock("host-" + task + ":6700", task == REMOTE ? AHEAD_NS : 0, task == REMOTE ? 100 : 0);
    }
}
