package io.eyewall.tail.recording;

import java.util.HashMap;
import java.util.Map;

/**
 * One object for each task and stream. Used by one thread; allocates only for a stream that is new to it.
 *
 * @param <T> the objects
 */
final class ByStream<T> {

    private final Factory<T> factory;
    private final Map<Stream, T> known = new HashMap<>();

    /** The last look-up and its object, since tuples of one stream come in runs; null before the first. */
    private final Stream asked = new Stream();
    private T last;

    ByStream(Factory<T> factory) {
        this.factory = factory;
    }

    /** The object for a stream of a component, as one task sees or emits it. */
    T of(int taskId, String component, String streamId) {
        if (last == null || !asked.is(taskId, component, streamId)) {
            asked.set(taskId, component, streamId);
            last = known.get(asked);
            if (last == null) {
                last = factory.make(taskId, component, streamId);
                Stream key = new Stream();
                key.set(taskId, component, streamId);
                known.put(key, last);
            }
        }
        return last;
    }

    /** Makes the object at the first look-up. */
    @FunctionalInterface
    interface Factory<T> {
        T make(int taskId, String component, String streamId);
    }

    /** A mutable key for look-ups; keys in the map do not change. */
    private static final class Stream {
        private int taskId;
        private String component;
        private String streamId;

        void set(int newTaskId, String newComponent, String newStreamId) {
            taskId = newTaskId;
            component = newComponent;
            streamId = newStreamId;
        }

        boolean is(int otherTaskId, String otherComponent, String otherStreamId) {
            return taskId == otherTaskId && streamId.equals(otherStreamId) && component.equals(otherComponent);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Stream stream && stream.is(taskId, component, streamId);
        }

        @Override
        public int hashCode() {
            return (taskId * 31 + component.hashCode()) * 31 + streamId.hashCode();
        }
    }
}
