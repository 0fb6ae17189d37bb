package io.eyewall.transport.fabric.link;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Records all calls. */
class RecordingHandler implements LinkHandler {

    final List<Link> opened = new CopyOnWriteArrayList<>();
    final List<String> closed = new CopyOnWriteArrayList<>();
    final List<Integer> addresses = new CopyOnWriteArrayList<>();
    final List<byte[]> messages = new CopyOnWriteArrayList<>();
    final AtomicInteger batches = new AtomicInteger();
    final AtomicInteger writable = new AtomicInteger();

    @Override
    public void onOpen(Link link) {
        opened.add(link);
    }

    @Override
    public void onMessage(Link link, int address, ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        addresses.add(address);
        messages.add(bytes);
    }

    @Override
    public void onBatchEnd(Link link) {
        batches.incrementAndGet();
    }

    @Override
    public void onWritable(Link link) {
        writable.incrementAndGet();
    }

    @Override
    public void onClosed(Link link, String reason) {
        closed.add(reason);
    }
}
