package io.eyewall.client.acking;

/** A message id that learns the root id of each instance of its message, on the thread that emits. */
@FunctionalInterface
public interface RootListener {

    /** Called when an instance is emitted. */
    void sent(long root);
}
