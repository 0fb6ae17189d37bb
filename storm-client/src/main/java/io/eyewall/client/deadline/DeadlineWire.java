package io.eyewall.client.deadline;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.TupleWire;
import org.apache.storm.tuple.Tuple;

/**
 * Takes deadlines to other workers: behind a tuple's own bytes go the nanoseconds that are left until its deadline, as eight bytes, highest
 * first, and a mark with the lane. So workers need no common clock; the time on the way is not counted.
 */
final class DeadlineWire implements TupleWire {

    private static final long NO_DEADLINE = Long.MIN_VALUE;
    private static final int LENGTH = Long.BYTES + 1;
    private static final int MARK = 0xD0;

    private final Deadlines deadlines;

    DeadlineWire(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    @Override
    public void writing(Tuple tuple) {
        // The time counts from when the tuple is written.
    }

    @Override
    public void written(Tuple tuple, Output output) {
        long deadlineNs = ((DeadlineHolder) tuple).getEyewallDeadlineNs();
        output.writeLong(deadlineNs == 0 ? NO_DEADLINE : deadlineNs - deadlines.presentNs());
        output.writeByte(MARK | Deadlines.laneOf(deadlineNs));
    }

    @Override
    public void reading(byte[] bytes, int lengthBytes) {
        // The time counts from when the tuple has been read.
    }

    @Override
    public void read(Tuple tuple, Input input) {
        int start = input.position();
        // Workers of upstream's and of earlier versions write no deadline.
        if (input.limit() - start >= LENGTH && (input.getBuffer()[start + Long.BYTES] & -Lanes.MOST & 0xff) == MARK) {
            long leftNs = input.readLong();
            int lane = Deadlines.laneOf(input.readByte());
            if (leftNs != NO_DEADLINE && tuple instanceof DeadlineHolder timed) {
                timed.setEyewallDeadlineNs(deadlines.arrivingDeadlineNs(leftNs, lane));
            }
        }
    }
}
