package io.eyewall.client.substitute;

import java.util.function.Supplier;

/**
 * A thread-local variable that is asked by one thread nearly always: the thread that asked last finds its value without a search in the
 * table of all its variables. As long as no other thread asks, it keeps the last thread and its value alive.
 *
 * @param <T> the values
 */
public final class LastThreadLocal<T> extends ThreadLocal<T> {

    private final Supplier<? extends T> initialValues;

    /** Whoever asked last. Threads may overwrite each other's: what they read is complete, and either theirs or not. */
    private Asked<T> last;

    /** A variable whose value is, for each thread that asks, one from the supplier. */
    public LastThreadLocal(Supplier<? extends T> initialValues) {
        this.initialValues = initialValues;
    }

    @Override
    protected T initialValue() {
        return initialValues.get();
    }

    @Override
    public T get() {
        Asked<T> asked = last;
        Thread thread = Thread.currentThread();
        if (asked == null || asked.thread != thread) {
            asked = new Asked<>(thread, super.get());
            last = asked;
        }
        return asked.value;
    }

    @Override
    public void set(T value) {
        last = null;
        super.set(value);
    }

    @Override
    public void remove() {
        last = null;
        super.remove();
    }

    /** Immutable, so that no barrier is needed to hand it on. */
    private record Asked<T>(Thread thread, T value) {
    }
}
