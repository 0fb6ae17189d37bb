package io.eyewall.client.engine;

import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The room in a queue, or in several that fill together: ends the waits of those that found none.
 *
 * <p>A producer that could not insert {@linkplain #seek is noted} and tries once more before it waits, and the consumer takes and then
 * looks whether any is noted, so that one of them sees the other. Safe for use by any thread.
 */
public final class Room {

    /** What other workers have room for, and the connections to them: of all workers of the process, for it is seldom told. */
    private static final Room ELSEWHERE = new Room();

    private final Set<Thread> seekers = ConcurrentHashMap.newKeySet();
    /** Whether there may be seekers that nobody has woken. Raised after one is noted, lowered before they are woken. */
    private volatile boolean sought;

    /** Room that nobody seeks. */
    public Room() {
        // Seekers come later.
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
}
