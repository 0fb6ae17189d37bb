package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.InstanceStatus;
import java.util.Set;
import org.apache.storm.generated.NodeInfo;

/** What a router does, in a test in which no instance leaves. */
interface StayingInstances extends RouterOutput {

    /** No tuples wait. */
    WaitingTuples NOTHING = new WaitingTuples() {
        @Override
        public boolean isEmpty() {
            return true;
        }

        @Override
        public boolean holds(int instance) {
            return false;
        }

        @Override
        public boolean holdsFor(Set<Integer> tasks) {
            return false;
        }
    };

    @Override
    default void toOther(NodeInfo container, InstanceStatus status) {
        // Nothing leaves.
    }

    @Override
    default void culprits(Set<Integer> tasks) {
        // Most tests look at who is held back, and not at why.
    }

    @Override
    default void end(int instance) {
        throw new AssertionError("nothing leaves");
    }

    @Override
    default WaitingTuples waiting() {
        return NOTHING;
    }
}
