package io.eyewall.scheduler.stela;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A board that forgets everything with the test; what is on it passes through its bytes. */
final class MemoryBoard implements ScalingBoard {

    private final Map<String, byte[]> posts = new LinkedHashMap<>();
    private byte[] log;
    private boolean broken;

    void post(ScalingOrder order) {
        posts.put(order.id(), ScalingPost.of(order).toBytes());
    }

    /** The answer to an order, or null. */
    ScalingAnswer answer(ScalingOrder order) {
        return ScalingPost.of(posts.get(order.id())).answer();
    }

    boolean has(ScalingOrder order) {
        return posts.containsKey(order.id());
    }

    /** Lets everything fail, or not any more. */
    void fail(boolean whether) {
        broken = whether;
    }

    @Override
    public List<ScalingPost> posts() {
        return posts.values().stream().map(ScalingPost::of).toList();
    }

    @Override
    public List<ScalingEvent> events() {
        return log == null ? List.of() : ScalingPost.logEvents(log);
    }

    @Override
    public void answer(ScalingPost post) {
        posts.replace(post.order().id(), post.toBytes());
    }

    @Override
    public void remove(ScalingPost post) {
        posts.remove(post.order().id());
    }

    @Override
    public void log(List<ScalingEvent> events) {
        if (broken) {
            throw new IllegalStateException("The board is broken.");
        }
        List<ScalingEvent> all = new ArrayList<>(events());
        all.addAll(events);
        log = ScalingPost.logBytes(all);
    }
}
