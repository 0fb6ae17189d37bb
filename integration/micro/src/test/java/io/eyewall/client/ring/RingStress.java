package io.eyewall.client.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What the two sides of a ring promise each other. They have mappings of their own, as in two processes. */
public final class RingStress {

    private static final int ASLEEP_BESIDE = -1;
    private static final ConcurrentLinkedQueue<Pair> FREE = new ConcurrentLinkedQueue<>();

    private RingStress() {
    }

    private static Pair take() {
        Pair free = FREE.poll();
        return free == null ? new Pair() : free;
    }

    /**
     * That what a writer writes while the reader is about to sleep is read by the reader or wakes it, and that whoever sees a number of
     * bytes sees the bytes.
     */
    @JCStressTest
    @Outcome(id = {"7, 0", "0, 1"}, expect = ACCEPTABLE, desc = "read without sleeping, or asleep and woken")
    @Outcome(id = "7, 1", expect = ACCEPTABLE, desc = "woken as it gives up sleeping")
    @Outcome(expect = FORBIDDEN, desc = "asleep beside it, or not what was written")
    @State
    public static class Sleeping {
        private final Pair pair = take();
        private int woken;
        private boolean slept;

        /** The writer. */
        @Actor
        public void writer() {
            woken = pair.write() ? 1 : 0;
        }

        /** The reader. */
        @Actor
        public void reader(II_Result result) {
            slept = pair.trySleep();
            result.r1 = slept ? 0 : pair.read();
        }

        /** What is left. */
        @Arbiter
        public void rest(II_Result result) {
            result.r2 = slept && woken == 0 ? ASLEEP_BESIDE : woken;
            if (slept && pair.read() != 7) {
                result.r1 = ASLEEP_BESIDE;
            }
            FREE.add(pair);
        }
    }

    private static final class Pair {
        private final SharedRing writer;
        private final SharedRing reader;

        Pair() {
            try {
                Path folder = Files.createTempDirectory("ring");
                Path file = folder.resolve("file");
                writer = SharedRing.create(file, 64);
                reader = SharedRing.open(file);
                Files.delete(file);
                Files.delete(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Writes; returns whether the reader was woken. */
        boolean write() {
            try {
                writer.write(ByteBuffer.wrap(new byte[] {7}));
                return writer.mustWake();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean trySleep() {
            try {
                return reader.trySleep();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        int read() {
            try {
                byte[] one = new byte[1];
                if (reader.available() != 1) {
                    return ASLEEP_BESIDE;
                }
                reader.read(one, 0, 1);
                return one[0];
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
