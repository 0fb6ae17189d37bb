package io.eyewall.transport.fabric.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** An endpoint for tagged datagrams, which the test polls. */
final class DatagramPeer implements AutoCloseable {

    private static final int ECANCELED = 125;
    private static final int SLOT_BYTES = 1024;
    private static final int CONTEXTS = 16 * SLOT_BYTES;
    private static final int SEND_SLOT = 4;

    private final FabricInfo info = FabricInfo.of(new FabricQuery(EndpointType.TAGGED, "net", "127.0.0.1", 0, true));
    private final Fabric fabric = Fabric.open(info);
    private final Domain domain = fabric.openDomain(info);
    private final CompletionQueue completions = domain.openCompletionQueue(64, CompletionQueue.Sleep.IN_CALL);
    private final AddressVector peers = domain.openAddressVector();
    private final MemoryRegion region = domain.allocate(CONTEXTS + 1024, false);
    private final Endpoint endpoint = domain.openEndpoint(info);
    private final Map<Integer, String> received = new HashMap<>();
    private final Map<Integer, Integer> errors = new HashMap<>();
    private int nextSend = SEND_SLOT;

    DatagramPeer() {
        endpoint.bind(peers);
        endpoint.bind(completions, completions);
        endpoint.enable();
    }

    byte[] name() {
        return endpoint.name();
    }

    long know(byte[] name) {
        return peers.insert(name);
    }

    void postReceive(int slot, long tag) {
        assertEquals(0, endpoint.receiveTagged(
            region.address() + (long) slot * SLOT_BYTES, SLOT_BYTES, region.descriptor(), tag, 0, context(slot)));
    }

    void cancel(int slot) {
        endpoint.cancel(context(slot));
    }

    void send(String message, DatagramPeer other, long peer, long tag) {
        byte[] bytes = message.getBytes(StandardCharsets.US_ASCII);
        int slot = nextSend++;
        region.buffer().put(slot * SLOT_BYTES, bytes);
        Polling.until("sent", () -> {
            long result = endpoint.sendTagged(
                region.address() + (long) slot * SLOT_BYTES, bytes.length, region.descriptor(), peer, tag, context(slot));
            poll();
            other.poll();
            return result == 0;
        });
    }

    void wake() {
        completions.wake();
    }

    /** Sleeps until an operation completes, unless a message has arrived; returns whether a message has arrived. */
    boolean sleep(int timeoutMs) {
        if (received.isEmpty()) {
            completions.await(timeoutMs);
            poll();
        }
        return !received.isEmpty();
    }

    /** The message that arrived in a slot, or null. */
    String received(int slot) {
        return received.get(slot);
    }

    String awaitReceive(int slot, DatagramPeer other) {
        Polling.until("received", () -> {
            poll();
            other.poll();
            return received.containsKey(slot);
        });
        return received.get(slot);
    }

    void awaitCancelled(int slot) {
        Polling.until("cancelled", () -> {
            poll();
            return errors.containsKey(slot);
        });
        assertEquals(ECANCELED, errors.get(slot));
    }

    @Override
    public void close() {
        endpoint.close();
        peers.close();
        completions.close();
        region.close();
        domain.close();
        fabric.close();
        info.close();
    }

    private void poll() {
        int count = completions.poll();
        for (int i = 0; i < count; i++) {
            int slot = (int) (completions.context(i) - region.address() - CONTEXTS) / Endpoint.CONTEXT_BYTES;
            if (completions.error() != 0) {
                errors.put(slot, completions.error());
            } else if (slot < SEND_SLOT) {
                byte[] bytes = new byte[completions.lengthBytes(i)];
                region.buffer().get(slot * SLOT_BYTES, bytes);
                received.put(slot, new String(bytes, StandardCharsets.US_ASCII));
            }
        }
    }

    private long context(int slot) {
        return region.address() + CONTEXTS + (long) slot * Endpoint.CONTEXT_BYTES;
    }
}
