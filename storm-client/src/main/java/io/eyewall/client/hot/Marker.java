package io.eyewall.client.hot;

import java.util.List;

/**
 * A message of one worker to another, behind the tuples that it has sent to it. See {@link Departure}.
 *
 * @param kind what the worker says
 * @param from the worker that says it
 * @param departure the departure that it is about
 */
record Marker(Kind kind, WorkerPlace from, long departure) {

    /** The task that markers are addressed to. Storm's tasks begin at 1. */
    static final int TASK = 0;

    /** What a marker says. */
    enum Kind {
        /** To a worker that departs: no tuple comes behind this one. */
        LAST,
        /** Of a worker that departs: it has sent on every tuple that it had. */
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
