package io.eyewall.client.stream.manager;

import org.apache.storm.messaging.TaskMessage;

/** A message for another container that a {@link PassageProbe} watches. Immutable. */
final class WatchedMessage extends TaskMessage {

    private final PassageProbe.Passage passage;

    /** The same message with its passage. */
    WatchedMessage(TaskMessage message, PassageProbe.Passage passage) {
        super(message.task(), message.message());
        this.passage = passage;
    }

    /** The transport has taken it. */
    void left() {
        passage.left();
    }
}
