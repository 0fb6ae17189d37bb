package io.eyewall.elasticity.henge;

/** A technique against the tail that running workers switch when they are ordered to. */
public enum Technique {

    /** Senders choose among the tasks of a bolt by how long each keeps a tuple. */
    BALANCING(RemedyKind.BALANCING, "load balancing"),
    /** A message that takes longer than nearly all others is sent once more. */
    TIMEOUT(RemedyKind.TIMEOUT, "the adaptive timeout"),
    /** Executors run in the order of the deadlines that follow from the targets of spouts. */
    DEADLINES(RemedyKind.DEADLINES, "targets of deadlines");

    private final RemedyKind kind;
    private final String words;

    Technique(RemedyKind kind, String words) {
        this.kind = kind;
        this.words = words;
    }

    /** The remedy that it is. */
    public RemedyKind kind() {
        return kind;
    }

    @Override
    public String toString() {
        return words;
    }
}
