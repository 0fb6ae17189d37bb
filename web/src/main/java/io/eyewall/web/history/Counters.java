package io.eyewall.web.history;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The counters of one component as sums that never fall, although what Storm reports falls when a worker starts again, and for a moment
 * when an executor moves. Keeps what was lost, so that the sums go on after this daemon starts again, too. What a component does between
 * its last report and the fall is not counted. Immutable.
 */
final class Counters {

    /** By how much a time may shrink because its average was rounded. */
    private static final double ROUNDED = 0.99;

    private final long[] totals;
    private final long[] lost;
    /** The counters before the last fall that has not been taken back; null if there is none. Not stored. */
    private final Counters beforeFall;

    private Counters(long[] totals, long[] lost, Counters beforeFall) {
        this.totals = totals;
        this.lost = lost;
        this.beforeFall = beforeFall;
    }

    /** What Storm reports the first time, in the order of {@link Counter}. */
    static Counters first(long... readings) {
        return new Counters(readings.clone(), new long[readings.length], null);
    }

    /** Whether this is what Storm reports, and not nothing but zeros, which stand for a report that is away. */
    boolean isReport() {
        return Arrays.stream(totals).anyMatch(total -> total != 0);
    }

    /** Goes on with what Storm reports next, if it does. */
    Counters next(Counters reported) {
        if (!reported.isReport()) {
            return this;
        }
        long[] readings = reported.totals;
        // A time that shrinks shows a restart, too, after which more was counted than before.
        boolean fallen = anyCount(i -> readings[i] < reading(i))
            || Stream.of(Counter.values()).anyMatch(each -> each.isTime() && readings[each.place()] < ROUNDED * reading(each.place()));
        // A step that takes back half of what a fall took is its return, not work that was done meanwhile.
        boolean returned = !fallen && beforeFall != null
            && anyCount(i -> lost[i] > beforeFall.lost[i] && 2 * (readings[i] - reading(i)) >= lost[i] - beforeFall.lost[i]);
        long[] nextTotals = totals.clone();
        long[] nextLost = new long[readings.length];
        for (int i = 0; i < readings.length; i++) {
            if (returned) {
                nextTotals[i] = Math.max(totals[i], readings[i] + beforeFall.lost[i]);
            } else if (!fallen) {
                nextTotals[i] = totals[i] + Math.max(0, readings[i] - reading(i));
            }
            nextLost[i] = nextTotals[i] - readings[i];
        }
        Counters before = fallen && beforeFall == null ? new Counters(totals, lost, null) : returned ? null : beforeFall;
        return new Counters(nextTotals, nextLost, before);
    }

    /** What Storm reported last. */
    private long reading(int place) {
        return totals[place] - lost[place];
    }

    private static boolean anyCount(IntPredicate holds) {
        return Stream.of(Counter.values()).anyMatch(counter -> !counter.isTime() && holds.test(counter.place()));
    }

    long total(Counter counter) {
        return totals[counter.place()];
    }

    void write(DataOutput output) throws IOException {
        for (int i = 0; i < totals.length; i++) {
            output.writeLong(totals[i]);
            output.writeLong(lost[i]);
        }
    }

    static Counters read(DataInput input) throws IOException {
        long[] totals = new long[Counter.values().length];
        long[] lost = new long[Counter.values().length];
        for (int i = 0; i < totals.length; i++) {
            totals[i] = input.readLong();
            lost[i] = input.readLong();
        }
        return new Counters(totals, lost, null);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Counters that && Arrays.equals(totals, that.totals) && Arrays.equals(lost, that.lost);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(totals);
    }

    @Override
    public String toString() {
        return Arrays.toString(totals);
    }
}
