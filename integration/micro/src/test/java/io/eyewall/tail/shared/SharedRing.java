package io.eyewall.tail.shared;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The other ring that executors could share, to compare {@link SharedTuples} with: LMAX's Disruptor, of which consumers claim one element
 * each, as the {@code WorkerPool} did that the Disruptor had before version 4. A consumer names the last element that producers may
 * overwrite while it takes the next one, moves the common sequence on, and names none when it has taken that.
 *
 * <p>Producers look at the common sequence before those of the consumers: either it has not passed the element yet, or the consumer's own
 * is there.
 */
final class SharedRing {

    private static final long NONE = Long.MAX_VALUE;

    private final RingBuffer<Place> ring;
    private final Sequence claimed = new Sequence(-1);
    private final Sequence[] taking;

    /** Without tuples, for so many consumers. */
    SharedRing(int capacity, int consumers) {
        ring = RingBuffer.createMultiProducer(Place::new, capacity, new BusySpinWaitStrategy());
        taking = new Sequence[consumers];
        for (int i = 0; i < consumers; i++) {
            taking[i] = new Sequence(NONE);
        }
        ring.addGatingSequences(claimed);
        ring.addGatingSequences(taking);
        // The ring has set them to where it stands.
        for (Sequence sequence : taking) {
            sequence.setVolatile(NONE);
        }
    }

    /** Inserts a tuple unless the ring is full. */
    boolean offer(AddressedTuple tuple) {
        long sequence;
        try {
            sequence = ring.tryNext();
        } catch (InsufficientCapacityException full) {
            return false;
        }
        ring.get(sequence).tuple = tuple;
        ring.publish(sequence);
        return true;
    }

    /** The next tuple, or null; each consumer, from 0, from one thread. */
    AddressedTuple poll(int consumer) {
        Sequence own = taking[consumer];
        while (true) {
            long last = claimed.get();
            own.setVolatile(last);
            if (!ring.isAvailable(last + 1)) {
                // Another round of the ring may be there by now.
                if (claimed.get() != last) {
                    continue;
                }
                own.set(NONE);
                return null;
            }
            if (claimed.compareAndSet(last, last + 1)) {
                Place place = ring.get(last + 1);
                AddressedTuple tuple = place.tuple;
                place.tuple = null;
                own.set(NONE);
                return tuple;
            }
        }
    }

    private static final class Place {
        private AddressedTuple tuple;
    }
}
