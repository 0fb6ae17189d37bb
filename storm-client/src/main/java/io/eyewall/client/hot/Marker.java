package io.eyewall.client.hot;

import io.eyewall.client.substitute.ReceivedMessages;
import java.util.List;

/**
 * A message from one worker to another, behind the tuples that it has sent to that worker. See {@link Departure}.
 *
 * @param kind the meaning of the message
 * @param from the worker that sends it
 * @param departure the departure that it is about
 */
record Marker(Kind kind, WorkerPlace from, long departure) {

    /** The task that markers are addressed to. */
    static final int TASK = ReceivedMessages.MARKER_TASK;

    /** The meaning of a marker. */
    enum Kind {
        /** To a worker that departs: no tuple follows. */
        LAST,
        /** From a worker that departs: it has forwarded every tuple that it had. */
        FAREWELL,
        /** To a worker that departs: its farewell has arrived, and so has every tuple before it. */
        RECEIVED
    }

    /** The values of the tuple that carries it. */
    List<Object> values() {
        return List.of(kind.name(), from.name(), departure);
    }

    /** The marker that a tuple with these values carries. */
    static Marker of(List<Object> values) {
        return new Marker(Kind.valueOf((String) values.get(0)), WorkerPlace.parse((String) values.get(1)),
            ((Number) values.get(2)).longValue());
    }
}
