package io.eyewall.client.stream.container;

import io.eyewall.client.stream.plan.Instance;
import io.eyewall.client.stream.slot.Slot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What a module on a worker's class path adds to the process of a container. Found with {@link java.util.ServiceLoader}. */
public interface ContainerFeature {

    /**
     * Joins a container that starts.
     *
     * @param topologyConf the topology's merged configuration, read-only
     * @param members its processes; for any thread
     * @return what to run when the container ends
     */
    Runnable join(Slot slot, Map<String, Object> topologyConf, Members members);

    /** The processes of a container at the moment. */
    interface Members {

        /** Its instances. */
        List<Instance> instances();

        /** The component of a task. */
        String component(int task);

        /** The directory of an instance or of the stream manager, by its name. */
        Path directory(String process);
    }
}
