package io.eyewall.client.substitute;

import java.util.function.Supplier;

/**
 * A thread-local variable that few threads read often: one of the last readers finds its value without a search in the table of its
 * thread-locals. Until other threads read it, it keeps these threads and their values alive, {@value #READERS} at most.
 *
 * @param <T> the values
 */
public final class CachedThreadLocal<T> extends ThreadLocal<T> {

    private static final int READERS = 16;

    private final Supplier<? extends T> initialValues;

    /**
     * The last readers and their values, by the lower bits of the thread's id, since executors' threads start one after the other. Threads
     * may overwrite an entry: what they read is complete, and is either their own entry or another's.
     */
    private final Reader<?>[] readers = new Reader<?>[READERS];

    /** A variable whose value is, for each thread that reads it, one from the supplier. */
    public CachedThreadLocal(Supplier<? extends T> initialValues) {
        this.initialValues = initialValues;
    }

    @Override
    protected T initialValue() {
        return initialValues.get();
    }

    @Override
    @SuppressWarnings("unchecked") // All entries are made here.
    public T get() {
        Thread thread = Thread.currentThread();
        Reader<T> reader = (Reader<T>) readers[place(thread)];
        if (reader == null || reader.thread != thread) {
            reader = new Reader<>(thread, super.get());
            readers[place(thread)] = reader;
        }
        return reader.value;
    }

    @Override
    public void set(T value) {
        readers[place(Thread.currentThread())] = null;
        super.set(value);
    }

    @Override
    public void remove() {
        readers[place(Thread.currentThread())] = null;
        super.remove();
    }

    private static int place(Thread thread) {
        return (int) thread.getId() & READERS - 1;
    }

    /** Immutable, so that no barrier is needed to hand it on. */
    private record Reader<T>(Thread thread, T value) {
    }
}
