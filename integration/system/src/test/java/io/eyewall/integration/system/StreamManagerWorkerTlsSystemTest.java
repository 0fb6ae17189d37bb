package io.eyewall.integration.system;

import io.eyewall.client.stream.StreamConfiguration;
import io.eyewall.integration.cluster.WorkerFiles;
import io.eyewall.integration.cluster.WorkerProcess;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The same with stream managers, which talk over TLS in place of workers. */
@Tag("system")
@Tag("long")
@Tag("alone")
class StreamManagerWorkerTlsSystemTest extends WorkerTlsSystemTest {

    @Override
    String name() {
        return "stream-manager-worker-tls";
    }

    @Override
    Map<String, Object> settings() {
        return Map.of(StreamConfiguration.MODE, "stream-manager", StreamConfiguration.EXECUTORS, 2);
    }

    @Override
    String logName() {
        return "stream-manager.log";
    }

    @Override
    long listener(WorkerProcess worker) {
        return ContainerChildren.of(worker, ContainerChildren.STREAM_MANAGERS).keySet().iterator().next();
    }

    @Override
    long unheardWorkers() {
        return WorkerFiles.logs(processes.logs(), "").stream().filter(log -> log.contains("Cannot report a heartbeat")).count();
    }

    /** Stream managers pass on whatever they get, and do not ask first. */
    @Override
    int sayThatFramesAreSent() {
        return 0;
    }
}
