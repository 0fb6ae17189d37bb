package io.eyewall.client.seam;

import java.util.Map;

/**
 * The contribution of a module on a worker's class path to the worker. Found with {@link java.util.ServiceLoader}. One instance serves
 * every worker of the process, so it holds no state of a worker.
 *
 * <p>Features join in the order of their {@linkplain #name() names}. A feature decorates what those before it have put into a seam.
 */
public interface WorkerFeature {

    /** The name of this feature, in lower case with hyphens, as the worker's log shows it. */
    String name();

    /**
     * Fills the seams that this feature needs in one worker. Called once per worker before its first queue or executor is made, on the
     * thread that starts the worker. A feature that the configuration switches off fills none and so costs nothing.
     *
     * @param seams the seams of the worker
     * @param topologyConf the topology's merged configuration, read-only
     * @throws RuntimeException stops the start of the worker; the message must name the key, the value and the remedy
     */
    void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf);
}
