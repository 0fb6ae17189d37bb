package io.eyewall.scheduler.scaling;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A board that forgets everything with the test; what is on it passes through its bytes. */
final class MemoryScalingStore implements ScalingStore {

    private final Map<String, byte[]> posts = new LinkedHashMap<>();
    private byte[] log;
    private boolean broken;

    void post(ScalingRequest order) {
        posts.put(order.id(), ScalingRecord.of(order).toBytes());
    }

    /** The answer to an order, or null. */
    ScalingResponse answer(ScalingRequest order) {
        return ScalingRecord.of(posts.get(order.id())).answer();
    }

    boolean has(ScalingRequest order) {
        return posts.containsKey(order.id());
    }

    /** Lets everything fail, or not any more. */
    void fail(boolean whether) {
        broken = whether;
    }

    @Override
    public List<ScalingRecord> posts() {
        return posts.values().stream().map(ScalingRecord::of).toList();
    }

    @Override
    public List<ScalingEvent> events() {
        return log == null ? List.of() : ScalingRecord.logEvents(log);
    }

    @Override
    public void answer(ScalingRecord post) {
        posts.replace(post.order().id(), post.toBytes());
    }

    @Override
    public void remove(ScalingRecord post) {
        posts.remove(post.order().id());
    }

    @Override
    public void log(List<ScalingEvent> events) {
        if (broken) {
            throw new IllegalStateException("The board is broken.");
        }
        List<ScalingEvent> all = new ArrayList<>(events());
        all.addAll(events);
        log = ScalingRecord.logBytes(all);
    }
}
