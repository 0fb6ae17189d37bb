package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.InstanceStatus;
import java.util.Set;
import org.apache.storm.generated.NodeInfo;

/** What a {@link Router} decides is carried out here. Called on the router's thread. */
public interface RouterOutput {

    /** Sends a status to an instance of this container. */
    void toInstance(int instance, InstanceStatus status);

    /** Sends a status to all other stream managers. */
    void toOthers(InstanceStatus status);

    /** Sends a status to another stream manager, which waits for what it has to say. */
    void toOther(NodeInfo container, InstanceStatus status);

    /** These tasks of this container cause back-pressure from now on, and no others. */
    void culprits(Set<Integer> tasks);

    /** Reads what an instance of this container sends, or no longer. */
    void read(int instance, boolean isRead);

    /** Sends nothing more to an instance of this container, which wants to leave. The router takes it for disconnected. */
    void end(int instance);

    /** The tuples that wait here for tasks that are connected nowhere. */
    WaitingTuples waiting();

    /** Tuples that wait here. */
    interface WaitingTuples {

        /** Whether there are none. */
        boolean isEmpty();

        /** Whether there are any of an instance of this container. */
        boolean holds(int instance);

        /** Whether there are any for one of these tasks. */
        boolean holdsFor(Set<Integer> tasks);
    }
}
