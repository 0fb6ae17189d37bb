package io.eyewall.client.acking;

/** A message id that is told under which root id each instance of its message goes out; on the thread that emits. */
@FunctionalInterface
public interface RootListener {

    /** An instance goes out. */
    void sent(long root);
}
