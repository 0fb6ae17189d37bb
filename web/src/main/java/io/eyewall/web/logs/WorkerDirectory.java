package io.eyewall.web.logs;

import java.nio.file.Path;

/**
 * Where a worker writes.
 *
 * @param path the real one
 * @param topology the id of its topology
 * @param port as the name of the directory has it
 */
record WorkerDirectory(Path path, String topology, String port) {

    /** What Storm's Supervisor writes about the worker when it starts it. */
    Path description() {
        return path.resolve("worker.yaml");
    }
}
