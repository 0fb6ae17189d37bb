package io.eyewall.client.stream.manager;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Where large messages wait for room in the {@link Backlog} before they are read. Those for one destination enter in turn. Used by one
 * thread.
 */
final class Door {

    private final List<LargeMessage> waiting = new ArrayList<>();

    /** The instance that sends a large message. */
    interface Sender {

        /** Whether everything before the message has passed, and the instance may be read. */
        boolean isNext();

        /** Where the message would wait if it were here now. */
        Backlog.Destination destination();

        /** Whether the message cannot wait for its destination, which may be waiting for this instance. */
        boolean mustPass();

        /** The message has entered: the rest of it may be read. */
        void entered();
    }

    /** A large message of which not all is here. */
    static final class LargeMessage {

        private final int bytes;
        private final Sender sender;
        /** Where it counts as coming; null while it waits at the door. */
        private Backlog.Destination destination;

        private LargeMessage(int bytes, Sender sender) {
            this.bytes = bytes;
            this.sender = sender;
        }

        /** Whether it waits for room. */
        boolean isWaiting() {
            return destination == null;
        }
    }

    /** A large message has begun, and waits until {@link #look}. */
    LargeMessage begins(int bytes, Sender sender) {
        LargeMessage message = new LargeMessage(bytes, sender);
        waiting.add(message);
        return message;
    }

    /** All of a message is here, or never will be. The rest of one that waits may have been on its way already. */
    void ends(LargeMessage message) {
        if (!waiting.remove(message)) {
            message.destination.ended(message.bytes);
        }
    }

    /** Whether nothing waits for room. */
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Lets those enter for which there is room. */
    void look() {
        List<LargeMessage> entered = new ArrayList<>();
        Set<Backlog.Destination> refused = new HashSet<>();
        for (Iterator<LargeMessage> all = waiting.iterator(); all.hasNext();) {
            LargeMessage message = all.next();
            Backlog.Destination destination = message.sender.destination();
            if (message.sender.isNext() && !refused.contains(destination)) {
                if (destination.begin(message.bytes, message.sender.mustPass())) {
                    message.destination = destination;
                    all.remove();
                    entered.add(message);
                } else {
                    refused.add(destination);
                }
            }
        }
        entered.forEach(message -> message.sender.entered());
    }
}
