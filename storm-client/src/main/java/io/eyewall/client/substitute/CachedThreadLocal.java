package io.eyewall.client.substitute;

import java.util.function.Supplier;

/**
 * A thread-local variable that one thread reads nearly always: the thread that read it last finds its value without a search in the table
 * of its thread-locals. As long as no other thread reads it, it keeps the last thread and its value alive.
 *
 * @param <T> the values
 */
public final class CachedThreadLocal<T> extends ThreadLocal<T> {

    private final Supplier<? extends T> initialValues;

    /** The last reader and its value. Threads may overwrite it: what they read is complete, and is either their own entry or another's. */
    private Reader<T> last;

    /** A variable whose value is, for each thread that reads it, one from the supplier. */
    public CachedThreadLocal(Supplier<? extends T> initialValues) {
        this.initialValues = initialValues;
    }

    @Override
    protected T initialValue() {
        return initialValues.get();
    }

    @Override
    public T get() {
        Reader<T> reader = last;
        Thread thread = Thread.currentThread();
        if (reader == null || reader.thread != thread) {
            reader = new Reader<>(thread, super.get());
            last = reader;
        }
        return reader.value;
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
    private record Reader<T>(Thread thread, T value) {
    }
}
