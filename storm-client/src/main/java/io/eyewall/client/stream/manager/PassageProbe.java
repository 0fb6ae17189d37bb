package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.stream.slot.SlotTopology;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;

/** Watches the messages that pass through a stream manager and have one tuple each, not a frame of many. For the loop's thread. */
public interface PassageProbe {

    /** A probe that does nothing. */
    PassageProbe NONE = (message, tupleAt, fromOtherContainer) -> Passage.UNWATCHED;

    /**
     * A message has come, and is about to be passed on.
     *
     * @param message the probe may change its bytes
     * @param tupleAt the index at which the bytes begin that Storm's serializer has written; they end where the message does
     * @param fromOtherContainer whether it has come from another container, or from an instance of this one
     * @return is told when the message has left, unless it waits for an instance that is not connected
     */
    Passage passes(ByteBuf message, int tupleAt, boolean fromOtherContainer);

    /** A message on its way through a stream manager. */
    interface Passage {

        /** Of a message that the probe does not watch. */
        Passage UNWATCHED = () -> { };

        /** A socket or a ring has all of the message, or the messaging transport has taken it; on any thread. */
        void left();
    }

    /** What a module on a worker's class path adds to the process of a stream manager. Found with {@link java.util.ServiceLoader}. */
    interface Feature {

        /**
         * Joins a stream manager that starts, in its own directory; {@link #NONE} if there is nothing to watch.
         *
         * @param storage the cluster's state
         */
        PassageProbe join(Slot slot, SlotTopology topology, IStateStorage storage);
    }
}
