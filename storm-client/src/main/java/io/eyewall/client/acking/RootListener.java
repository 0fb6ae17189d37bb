package io.eyewall.client.acking;

/** A message id that learns the root id of each instance of its message, on the thread that emits. */
@FunctionalInterface
public interface RootListener {

    /** An instance is emitted. */
    void sent(long root);
}
