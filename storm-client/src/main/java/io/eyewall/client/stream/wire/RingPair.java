package io.eyewall.client.stream.wire;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.ring.SharedRing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two rings in shared memory between an instance and its stream manager, one for each direction. The instance makes them and sends
 * their name; the stream manager opens them and removes the name. For one thread on each side.
 */
public final class RingPair implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(RingPair.class);
    private static final int CAPACITY_BYTES = 256 * 1024;

    private final RingPlace place;
    private final SharedRing in;
    private final SharedRing out;

    /** Makes or opens a ring. */
    private interface RingFactory {
        SharedRing ring(Path file) throws IOException;
    }

    private RingPair(RingPlace place, SharedRing in, SharedRing out) {
        this.place = place;
        this.in = in;
        this.out = out;
    }

    /**
     * Makes rings in a folder of their own; for the instance.
     *
     * @param parent where shared memory is
     * @throws IOException if there is no space, or no shared memory
     */
    public static RingPair create(Path parent) throws IOException {
        return create(parent, CAPACITY_BYTES);
    }

    /** The same with rings of so many bytes, a power of two. */
    static RingPair create(Path parent, int capacityBytes) throws IOException {
        RingPlace place = RingPlace.create(parent);
        return of(place, place.back(), place.ring(), file -> SharedRing.create(file, capacityBytes));
    }

    /**
     * Opens rings, which then have no name any more; for the stream manager.
     *
     * @throws IOException if there are none, or another user could have made or changed them
     */
    public static RingPair open(Path parent, String name) throws IOException {
        RingPlace place = RingPlace.find(parent, name).orElseThrow(() -> new NoSuchFileException(parent.toString(), null,
            "It has no rings of that name."));
        RingPair rings = of(place, place.ring(), place.back(), SharedRing::open);
        rings.removeName();
        return rings;
    }

    private static RingPair of(RingPlace place, Path in, Path out, RingFactory factory) throws IOException {
        SharedRing first = null;
        try {
            first = factory.ring(in);
            return new RingPair(place, first, factory.ring(out));
        } catch (IOException e) {
            if (first != null) {
                first.close();
            }
            place.remove();
            throw e;
        }
    }

    /** What the other side finds them by. */
    public String name() {
        return place.name();
    }

    /** What the other side writes. */
    SharedRing in() {
        return in;
    }

    /** What the other side reads. */
    SharedRing out() {
        return out;
    }

    private void removeName() {
        try {
            place.remove();
        } catch (IOException e) {
            LOG.warn("Cannot remove {}, which nothing uses any longer. Remove it by hand.", place.ring().getParent(), e);
        }
    }

    /** Gives up this side's mappings, and the name if it is still there. Nothing may be called afterwards, except this method. */
    @Override
    public void close() {
        in.close();
        out.close();
        removeName();
    }
}
