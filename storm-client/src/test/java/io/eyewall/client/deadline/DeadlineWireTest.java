package io.eyewall.client.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.TupleWire;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

class DeadlineWireTest {

    private final TimedInput sender = new TimedInput();
    private final TimedInput receiver = new TimedInput();

    @Test
    void shouldTakeTheTimeThatIsLeftToAnotherWorkersClock() {
        sender.advance(104);
        receiver.advance(5_000);
        assertEquals(5_200, read(written(304)));
        assertEquals(4_928, read(written(32)), "late");
    }

    @Test
    void shouldTakeTheLaneAlong() {
        assertEquals(3, Deadlines.laneOf(read(written(304 + 3))));
    }

    @Test
    void shouldLeaveATupleWithoutADeadlineAsItIs() {
        assertEquals(0, read(written(0)));
    }

    @Test
    void shouldReadWhatOthersWriteAsNoDeadline() {
        assertEquals(0, read(new byte[0]), "upstream's worker");
        assertEquals(0, read(new byte[] {0}), "one with a feature that has nothing to say");
        assertEquals(0, read(new byte[57]), "one with a feature that has more");
    }

    @Test
    void shouldNotBelieveADeadlineThatIsFarAway() {
        for (long left : new long[] {Long.MAX_VALUE, Long.MIN_VALUE + 1}) {
            Output output = new Output(9);
            output.writeLong(left);
            output.writeByte((byte) 0xD0);
            assertTrue(Math.abs(read(output.toBytes())) <= TimeUnit.DAYS.toNanos(1) + 8);
        }
    }

    @Test
    void shouldLeaveWhatComesBehindToTheNextWire() {
        Output output = new Output(20);
        AtomicInteger next = new AtomicInteger();
        TupleWire both = TupleWire.both(sender.deadlines().wire(), new OneByte(next));
        both.written(sender.tuple(304).getTuple(), output);
        Tuple tuple = receiver.tuple(0).getTuple();
        TupleWire.both(receiver.deadlines().wire(), new OneByte(next)).read(tuple, new Input(output.toBytes()));
        assertEquals(304, ((DeadlineHolder) tuple).getEyewallDeadlineNs());
        assertEquals(7, next.get());
        assertEquals(10, output.position());
    }

    private byte[] written(long deadlineNs) {
        Output output = new Output(20);
        sender.deadlines().wire().written(sender.tuple(deadlineNs).getTuple(), output);
        return output.toBytes();
    }

    private long read(byte[] bytes) {
        Tuple tuple = receiver.tuple(0).getTuple();
        receiver.deadlines().wire().read(tuple, new Input(bytes));
        return ((DeadlineHolder) tuple).getEyewallDeadlineNs();
    }

    /** Writes a 7, and notes what it reads. */
    private record OneByte(AtomicInteger read) implements TupleWire {
        @Override
        public void writing(Tuple tuple) {
            // Nothing is to be prepared.
        }

        @Override
        public void written(Tuple tuple, Output output) {
            output.writeByte(7);
        }

        @Override
        public void reading(byte[] bytes, int lengthBytes) {
            // Nothing is to be prepared.
        }

        @Override
        public void read(Tuple tuple, Input input) {
            read.set(input.readByte());
        }
    }
}
