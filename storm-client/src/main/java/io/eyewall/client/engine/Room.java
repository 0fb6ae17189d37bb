package io.eyewall.client.engine;

import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.utils.JCQueue;

/**
 * The room in a queue, or in several that fill together: ends the waits of those that found none.
 *
 * <p>A producer that could not insert {@linkplain #seek is noted} and tries once more before it waits, and the consumer takes and then
 * looks whether any is noted, so that one of them sees the other. Tuples of other workers do not wait but lie beside the full queue, and
 * those workers are asked to hold back; when nothing lies there any more, they are told at once, where upstream looks every 50 ms. Safe for
 * use by any thread.
 */
public final class Room {

    /** What other workers have room for, and the connections to them: of all workers of the process, for it is seldom told. */
    private static final Room ELSEWHERE = new Room();

    private final Runnable onNothingBeside;
    private final Set<Thread> seekers = ConcurrentHashMap.newKeySet();
    /** Whether there may be seekers that nobody has woken. Raised after one is noted, lowered before they are woken. */
    private volatile boolean sought;
    /** Whether something may lie beside the queue. Raised after it was laid there, lowered before a consumer looks whether any is left. */
    private volatile boolean beside;

    /** Room that nobody seeks, beside which nothing ever lies. */
    public Room() {
        this(() -> { });
    }

    /**
     * Room that nobody seeks.
     *
     * @param onNothingBeside runs when what lay beside the queue has been taken, on the thread that took the last of it
     */
    public Room(Runnable onNothingBeside) {
        this.onNothingBeside = onNothingBeside;
    }

    /** What this process learns of the room that other workers, and the connections to them, have. */
    public static Room elsewhere() {
        return ELSEWHERE;
    }

    /** Notes that the calling thread found none: it is unparked when there is some. */
    public void seek() {
        seekers.add(Thread.currentThread());
        sought = true;
    }

    /** There is some: wakes all that seek it; whether any may have. */
    public boolean made() {
        VarHandle.fullFence(); // The look at the flag could overtake the queue's release store of what was taken.
        if (!sought) {
            return false;
        }
        sought = false;
        seekers.removeIf(seeker -> {
            LockSupport.unpark(seeker);
            return true;
        });
        return true;
    }

    /** Something has been laid beside the queue. */
    public void overflowed() {
        beside = true;
    }

    /** A consumer has taken what it found; on its thread. */
    void looked(JCQueue queue) {
        if (beside) {
            beside = false;
            if (queue.isEmptyOverflow()) {
                onNothingBeside.run();
            } else {
                beside = true;
            }
        }
    }
}
