package io.eyewall.client.deadline;

/** How urgent the messages of a spout's executor are. */
interface Tokens {

    /** Every message has the target. */
    Tokens UNLIMITED = new Tokens() {
        @Override
        public long untilDeadlineNs(long presentNs, long targetNs) {
            return targetNs;
        }

        @Override
        public long take(long presentNs, long targetNs) {
            return targetNs;
        }
    };

    /**
     * How long it is until the deadline of the next message, in nanoseconds. For any thread.
     *
     * @param presentNs the present, of {@link Deadlines#presentNs}
     * @param targetNs the target of an urgent message
     */
    long untilDeadlineNs(long presentNs, long targetNs);

    /**
     * How long it is until the deadline of a message that is emitted now, in nanoseconds. For the thread that emits.
     *
     * @param presentNs the present, of {@link Deadlines#presentNs}
     * @param targetNs the target of an urgent message
     */
    long take(long presentNs, long targetNs);
}
