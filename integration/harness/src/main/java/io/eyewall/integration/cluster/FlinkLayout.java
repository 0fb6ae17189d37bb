package io.eyewall.integration.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The configuration and the command lines of a Flink cluster that runs one job: a JobManager, which is its REST server too, and
 * TaskManagers. A TaskManager has the heap and the garbage collector of a Storm worker in its default configuration.
 *
 * @param home the installation
 * @param directory of configuration, state and logs
 * @param job what runs
 * @param rpcPort the JobManager's
 * @param restPort of the JobManager's REST server
 */
record FlinkLayout(FlinkHome home, Path directory, FlinkJob job, int rpcPort, int restPort) {

    /** That of a worker whose executors need no memory of their own: the default of {@code worker.heap.memory.mb}. */
    private static final int HEAP_MB = 768;
    private static final int FRAMEWORK_HEAP_MB = 128;
    private static final String JOB_MANAGER_MAIN = "org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint";
    private static final String TASK_MANAGER_MAIN = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner";
    /** What Flink's own configuration file opens on JDK 17. */
    private static final List<String> OPENED = List.of("java.lang", "java.lang.reflect", "java.net", "java.io", "java.nio", "java.text",
        "java.time", "java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks");

    /**
     * The configuration of all processes: exactly once, with a checkpoint every second, and object reuse. With a rate, buffers leave with
     * each record, since it is latency that is of interest; at full speed after 100 ms or when they are full, which is Flink's default. A
     * job that fails is not restarted.
     */
    Map<String, String> configuration() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("execution.checkpointing.mode", "EXACTLY_ONCE");
        all.put("execution.checkpointing.interval", "1 s");
        all.put("execution.checkpointing.storage", "filesystem");
        all.put("execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString());
        all.put("state.backend.type", "hashmap");
        all.put("pipeline.object-reuse", "true");
        if (job.ratePerSec() > 0) {
            all.put("execution.buffer-timeout.interval", "0 ms");
        }
        all.put("restart-strategy.type", "none");
        all.put("jobmanager.rpc.address", "localhost");
        all.put("jobmanager.bind-host", "localhost");
        all.put("jobmanager.rpc.port", Integer.toString(rpcPort));
        all.put("rest.address", "localhost");
        all.put("rest.bind-address", "localhost");
        all.put("rest.port", Integer.toString(restPort));
        all.put("taskmanager.host", "localhost");
        all.put("taskmanager.bind-host", "localhost");
        all.put("taskmanager.numberOfTaskSlots", Integer.toString(job.slots() / job.taskManagers()));
        all.put("taskmanager.cpu.cores", "1");
        all.put("taskmanager.memory.framework.heap.size", FRAMEWORK_HEAP_MB + " mb");
        all.put("taskmanager.memory.task.heap.size", HEAP_MB - FRAMEWORK_HEAP_MB + " mb");
        all.put("taskmanager.memory.framework.off-heap.size", "128 mb");
        all.put("taskmanager.memory.task.off-heap.size", "0 mb");
        all.put("taskmanager.memory.managed.size", "0 mb");
        all.put("taskmanager.memory.network.min", "64 mb");
        all.put("taskmanager.memory.network.max", "64 mb");
        all.put("taskmanager.memory.jvm-metaspace.size", "256 mb");
        all.put("taskmanager.memory.jvm-overhead.min", "192 mb");
        all.put("taskmanager.memory.jvm-overhead.max", "192 mb");
        all.put("io.tmp.dirs", directory.toString());
        return all;
    }

    List<String> jobManager() {
        List<String> command = java(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), JOB_MANAGER_MAIN);
        command.addAll(List.of("--job-classname", FlinkJob.MAIN_CLASS));
        command.addAll(job.arguments());
        return command;
    }

    List<String> taskManager(int number) {
        List<String> command = java(List.of("-Xmx" + HEAP_MB + "m"), TASK_MANAGER_MAIN);
        command.addAll(List.of("-D", "taskmanager.resource-id=taskmanager-" + number));
        return command;
    }

    private List<String> java(List<String> options, String mainClass) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(OPENED.stream().flatMap(name -> Stream.of("--add-opens", "java.base/" + name + "=ALL-UNNAMED")).toList());
        command.addAll(List.of("-cp", home.classPath(), mainClass, "--configDir", directory.toString()));
        return command;
    }
}
