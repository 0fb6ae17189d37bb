package io.eyewall.integration.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.storm.generated.ExecutorSummary;

/**
 * An installation's classes as a JVM keeps them in memory, in files that JVMs map instead of reading the jars (class data sharing).
 * A daemon or a worker then needs about a quarter less CPU to start. A JVM ignores the file unless its class path begins with the same
 * jars.
 *
 * <p>The files belong to one build of an installation and to one JDK. {@link #main} makes them.
 */
public final class SharedClasses {

    private static final String PROPERTY = "eyewall.shared.classes";
    private static final String DAEMONS = "lib";
    private static final String WORKERS = "lib-worker";
    private static final String HOME = "home.txt";
    private static final String TOPOLOGY = "classes";
    private static final String SMALL_JVM = " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 ";

    private SharedClasses() {
    }

    /**
     * The JVM's options for daemons and commands; none unless the system property {@code eyewall.shared.classes} names a directory with
     * the files.
     */
    public static List<String> ofDaemons() {
        return options(DAEMONS);
    }

    /** The same for an installation; none unless the files are its. */
    static List<String> ofDaemons(StormHome home) {
        return areOf(home) ? ofDaemons() : List.of();
    }

    /** The same for workers, and for programs that submit topologies. */
    public static List<String> ofWorkers() {
        return options(WORKERS);
    }

    /** The same for an installation; none unless the files are its. */
    static List<String> ofWorkers(StormHome home) {
        return areOf(home) ? ofWorkers() : List.of();
    }

    /**
     * Makes the files: starts a cluster with a topology to see which classes are used.
     *
     * @param arguments the installation's root, and the directory of the files
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        StormHome home = new StormHome(Path.of(arguments[0]));
        Path directory = Path.of(arguments[1]).toAbsolutePath();
        Path lists = Files.createDirectories(directory.resolve("lists"));
        runACluster(home, directory.resolve("cluster"), "-XX:DumpLoadedClassList=" + lists.resolve("%p.txt"));

        Path all = Files.write(directory.resolve("classes.txt"), union(lists));
        Map<String, Process> dumps = new LinkedHashMap<>();
        for (String libraries : List.of(DAEMONS, WORKERS)) {
            dumps.put(libraries,
                java(directory, libraries, "-Xshare:dump", "-XX:SharedClassListFile=" + all, "-cp", jars(home, libraries)));
        }
        for (Map.Entry<String, Process> dump : dumps.entrySet()) {
            String libraries = dump.getKey();
            succeed(dump.getValue(), directory, libraries);
            // Fails if the file is of no use to a longer class path.
            succeed(java(directory, libraries, "-Xshare:on", "-cp",
                jars(home, libraries) + File.pathSeparator + home.root().resolve("conf"), "-version"), directory, libraries);
        }
        Files.writeString(directory.resolve(HOME), home.root().toString());
    }

    /** A JVM with files of other jars would share no classes at all, not even the JDK's. */
    private static boolean areOf(StormHome home) {
        String directory = System.getProperty(PROPERTY);
        try {
            return directory != null && Files.readString(Path.of(directory, HOME)).equals(home.root().toString());
        } catch (IOException noFiles) {
            return false;
        }
    }

    private static String jars(StormHome home, String libraries) {
        return home.root().resolve(libraries) + "/*";
    }

    /** Starts a JVM with the file of those libraries. */
    private static Process java(Path directory, String libraries, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(ClusterLayout.javaProgram(),
            "-XX:SharedArchiveFile=" + directory.resolve(libraries + ".jsa")));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log(directory, libraries).toFile())).start();
    }

    private static void succeed(Process process, Path directory, String libraries) throws InterruptedException {
        int exit = process.waitFor();
        if (exit != 0) {
            throw new ClusterException("A JVM cannot share its classes (exit code " + exit + "): see " + log(directory, libraries));
        }
    }

    private static Path log(Path directory, String libraries) {
        return directory.resolve(libraries + ".log");
    }

    private static void runACluster(StormHome home, Path directory, String option) throws IOException {
        ClusterSpecification specification = ClusterSpecification.of(home, directory).withJavaOptions(List.of(option))
            .withSettings(Map.of("worker.childopts", "-Xmx128m" + SMALL_JVM + option,
                "topology.worker.logwriter.childopts", "-Xmx32m" + SMALL_JVM + option,
                // Nimbus learns soon that all executors run.
                "executor.metrics.frequency.secs", 1, "task.heartbeat.frequency.secs", 1,
                "nimbus.monitor.freq.secs", 2, "supervisor.monitor.frequency.secs", 1));
        try (ProcessCluster cluster = ProcessCluster.startAnew(specification)) {
            cluster.submit(Submission.of(ExamplesJar.in(home.root()), ExamplesJar.MAIN_CLASS, "linear", TOPOLOGY)
                .with("topology.workers", 2).with("eyewall.rate.per.sec", 10));
            cluster.await("the topology to run", () -> runs(cluster.topologies().info(TOPOLOGY).orElseThrow().get_executors()));
        }
    }

    private static boolean runs(List<ExecutorSummary> executors) {
        return !executors.isEmpty() && executors.stream().allMatch(executor -> executor.get_uptime_secs() > 0);
    }

    /** The classes of all lists, and then their lambdas. */
    private static Set<String> union(Path lists) throws IOException {
        Set<String> classes = new LinkedHashSet<>();
        Set<String> lambdas = new LinkedHashSet<>();
        try (Stream<Path> files = Files.list(lists)) {
            for (Path file : files.sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    if (line.startsWith("@")) {
                        lambdas.add(line);
                    } else if (!line.startsWith("#")) {
                        classes.add(line.split(" ", 2)[0]);
                    }
                }
            }
        }
        classes.addAll(lambdas);
        return classes;
    }

    private static List<String> options(String libraries) {
        String directory = System.getProperty(PROPERTY);
        Path file = directory == null ? null : Path.of(directory, libraries + ".jsa");
        // No warning of a JVM that cannot use the file, such as one of another installation.
        return file == null || !Files.exists(file) ? List.of() : List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off");
    }
}
