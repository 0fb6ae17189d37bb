package io.eyewall.integration.bench;

import io.eyewall.integration.cluster.FlinkCluster;
import io.eyewall.integration.cluster.ProcessCluster;
import io.eyewall.integration.cluster.RunningCluster;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What is being measured: a topology on a cluster of Storm's, or a job of Flink's. */
interface RunningTopology extends AutoCloseable {

    /** The JVMs whose CPU time counts. */
    List<WorkerProcess> workers();

    void await(String what, RunningCluster.Condition condition);

    Path logs();

    /** Ends it after its measurement; returns what waits until it is gone. Throws {@link BenchException} if it did not do all its work. */
    Runnable end() throws IOException, InterruptedException;

    /** Frees what a run without result leaves. */
    @Override
    void close();

    /** A topology that was submitted to the cluster, which ends it when it is closed itself. */
    static RunningTopology onStorm(ProcessCluster cluster, String topology) {
        return new RunningTopology() {
            @Override
            public List<WorkerProcess> workers() {
                return cluster.workers(topology);
            }

            @Override
            public void await(String what, RunningCluster.Condition condition) {
                cluster.await(what, condition);
            }

            @Override
            public Path logs() {
                return cluster.logs();
            }

            @Override
            public Runnable end() {
                cluster.topologies().kill(topology, 0);
                return () -> cluster.awaitGone(topology);
            }

            @Override
            public void close() {
            }
        };
    }

    /** The job of a cluster, which ends with it. */
    static RunningTopology onFlink(FlinkCluster cluster) {
        return new RunningTopology() {
            @Override
            public List<WorkerProcess> workers() {
                return cluster.taskManagers();
            }

            @Override
            public void await(String what, RunningCluster.Condition condition) {
                cluster.await(what, condition);
            }

            @Override
            public Path logs() {
                return cluster.logs();
            }

            @Override
            public Runnable end() throws IOException, InterruptedException {
                long checkpoints = cluster.completedCheckpoints();
                close();
                if (checkpoints == 0) {
                    throw new BenchException("Flink completed no checkpoint, so its figures are not those of exactly once: see the logs in "
                        + logs());
                }
                return () -> { };
            }

            @Override
            public void close() {
                cluster.close();
            }
        };
    }
}
