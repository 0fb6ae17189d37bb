package io.eyewall.client.seam;

import org.apache.storm.daemon.Task;

/**
 * The seam <em>task-object</em>: decorates the object that runs as a task: the user's spout or bolt, as it was deserialized.
 */
@FunctionalInterface
public interface TaskObjects {

    /** Upstream's way. */
    TaskObjects UPSTREAM = (task, taskObject) -> taskObject;

    /**
     * Returns {@code taskObject} or a decorator of it. A decorator must forward every interface that the object has
     * ({@code ICredentialsListener}, {@code IMetricsRegistrant}, …), because upstream asks the object for them.
     *
     * @param task the task, whose constructor is still running: its id, component and contexts are set, its groupings are not
     * @param taskObject the user's object, before {@code open} or {@code prepare}
     */
    Object taskObject(Task task, Object taskObject);
}
