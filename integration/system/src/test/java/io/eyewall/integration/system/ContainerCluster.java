package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Network.Ipam;
import io.eyewall.integration.cluster.ClusterException;
import io.eyewall.integration.cluster.RunningCluster;
import io.eyewall.integration.cluster.StormHome;
import io.eyewall.integration.cluster.Submission;
import io.eyewall.integration.cluster.Topologies;
import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.BindMode;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.output.OutputFrame.OutputType;
import org.testcontainers.utility.DockerImageName;

/**
 * A cluster of containers on a network of its own, from Eyewall's image. The daemons may be upstream's: then the image only lends its Java.
 * A container's name is its host name. What daemons keep lies in a directory for each name, so that a container that takes the name of
 * another goes on with its state. It also has its address, since upstream's workers look a name up only once. Closing it removes the
 * containers and the network. Its workers are processes that root of this machine sees and may kill.
 */
final class ContainerCluster implements RunningCluster, AutoCloseable {

    /** Long, since a busy machine may need minutes for what takes seconds elsewhere; it is reached only when something is wrong. */
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final String ZOOKEEPER = "zookeeper";
    private static final String NIMBUS = "nimbus";
    private static final int NIMBUS_PORT = 6627;
    private static final String REDIS = "redis";
    private static final int REDIS_PORT = 6379;
    /** Of daemons and workers, in their containers: directories of process clusters have other names. */
    private static final Path LOGS = Path.of("/var/log/storm");
    private static final String JAR = "/opt/topologies.jar";
    private static final String STATE = "/var/lib/storm";
    /** Upstream's Supervisor would end whatever has the number of a process of an earlier container. */
    private static final String FORGET_AND_START =
        "rm -f " + STATE + "/workers/*/pids/* " + STATE + "/workers/*/heartbeats/*; exec java \"$@\"";
    private static final int FIRST_ADDRESS = 20;
    private static final String DAEMON_JVM = "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";
    private static final Map<String, String> UPSTREAMS_MAIN = Map.of(
        "nimbus", "org.apache.storm.daemon.nimbus.Nimbus", "supervisor", "org.apache.storm.daemon.supervisor.Supervisor");

    private final String image;
    private final Path directory;
    private final StormHome upstream;
    private final Network network = Network.newNetwork();
    private final Map<String, Object> settings;
    private final Map<String, String> addresses = new HashMap<>();
    private final Map<String, GenericContainer<?>> containers = new LinkedHashMap<>();

    /** A cluster of which nothing runs yet; it writes below {@code directory}. {@code settings} are those of all parts. */
    ContainerCluster(String image, Path directory, StormHome upstream, Map<String, Object> settings) {
        this.image = image;
        this.directory = directory;
        this.upstream = upstream;
        this.settings = Map.copyOf(settings);
        Map<String, Object> all = new LinkedHashMap<>(settings);
        List.of("nimbus", "supervisor", "ui", "drpc").forEach(daemon -> all.put(daemon + ".childopts", DAEMON_JVM));
        all.putAll(Map.of("storm.zookeeper.servers", List.of(ZOOKEEPER), "nimbus.seeds", List.of(NIMBUS),
            "drpc.servers", List.of("drpc"), "storm.local.dir", STATE, "storm.log.dir", LOGS.toString(),
            "storm.metricstore.rocksdb.location", STATE + "/metrics"));
        try {
            makeWritable(directory.resolve("output"));
            Files.writeString(directory.resolve("storm.yaml"), new Yaml().dump(all));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot prepare " + directory, e);
        }
    }

    /** Builds the image, and returns its name; aborts the test where no engine runs containers. */
    static String buildImage(Path directory) throws IOException, InterruptedException {
        assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no Docker engine answers");
        Path log = Files.createDirectories(directory).resolve("build.log");
        Process process = new ProcessBuilder(Installations.sourceTree().resolve("bin").resolve("image").toString())
            .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        List<String> printed = process.waitFor() == 0 ? Files.readAllLines(log) : List.of();
        if (printed.isEmpty()) {
            throw new ClusterException("bin/image failed: see " + log);
        }
        return printed.get(printed.size() - 1);
    }

    /** Where the topology writes. */
    Path output(String topology) {
        return directory.resolve("output").resolve(topology);
    }

    /** Starts a ZooKeeper server that keeps its data when its container is killed. */
    void startZooKeeper() {
        start(ZOOKEEPER, new GenericContainer<>(DockerImageName.parse("zookeeper:3.9")));
    }

    /** Starts a Redis server; returns its HOST:PORT in the network. */
    String startRedis() {
        start(REDIS, new GenericContainer<>(DockerImageName.parse("redis:7")));
        return REDIS + ":" + REDIS_PORT;
    }

    /** Starts a daemon of Eyewall's, in a container whose own file system cannot be written to, and returns when the daemon answers. */
    void startEyewalls(String name, String daemon) {
        start(name, daemonContainer(name).withCommand(daemon).withEnv("STORM_LOCAL_HOSTNAME", name)
            .withCreateContainerCmdModifier(command -> hostConfig(command.getHostConfig()).withReadonlyRootfs(true)));
        awaitHealth(name);
    }

    /** Starts Nimbus or a Supervisor of upstream's. */
    void startUpstreams(String name, String daemon) {
        // The name of the directory is what topologies write of the installation.
        String home = "/opt/" + upstream.root().getFileName();
        List<String> command = new ArrayList<>(List.of(DAEMON_JVM.split(" ")));
        command.addAll(List.of("-Dstorm.home=" + home, "-Dstorm.log.dir=/var/log/storm",
            "-Dstorm.conf.file=/etc/storm/storm.yaml", "-Dstorm.options=storm.local.hostname%3D" + name, "-Ddaemon.name=" + daemon,
            "-Djava.library.path=/usr/lib", "-Dlogfile.name=" + daemon + ".log",
            "-Dlog4j.configurationFile=" + home + "/log4j2/cluster.xml",
            "-cp", home + "/lib/*:" + home + "/conf", UPSTREAMS_MAIN.get(daemon)));
        start(name, daemonContainer(name).withFileSystemBind(upstream.root().toString(), home, BindMode.READ_ONLY)
            .withCommand(command.toArray(String[]::new))
            .withCreateContainerCmdModifier(modified -> modified.withEntrypoint("tini", "-g", "--", "sh", "-c", FORGET_AND_START, "java")));
    }

    /** Submits a topology of the drop-in jar from within a container of Eyewall's. */
    void submit(String from, String topology) {
        submit(from, Submission.of(Installations.dropInJar(), "io.eyewall.integration.dropin.Submit", topology)
            .with("dropin.output", directory.resolve("output")));
    }

    private String submit(String from, Submission submission) {
        List<String> command = new ArrayList<>(List.of("storm", "jar", JAR, submission.mainClass()));
        command.addAll(submission.arguments());
        submission.options().forEach((key, value) -> command.addAll(List.of("-c", key + "=" + value)));
        return run(from, command.toArray(String[]::new));
    }

    /** Runs a command in a container; returns what it printed. Throws {@link ClusterException} if it fails. */
    String run(String name, String... command) {
        ExecResult result = execute(name, command);
        if (result.getExitCode() != 0) {
            throw new ClusterException(String.join(" ", command) + " failed in " + name + ": " + result.getStdout() + result.getStderr());
        }
        return result.getStdout();
    }

    /** Ends all processes of a container at once, and leaves it. */
    void kill(String name) {
        docker().killContainerCmd(container(name).getContainerId()).exec();
    }

    /** Starts a killed container again. */
    void startAgain(String name) {
        docker().startContainerCmd(container(name).getContainerId()).exec();
    }

    /** Waits until the daemon of a container of Eyewall's answers. */
    void awaitHealth(String name) {
        await(name + " is well", () -> execute(name, "storm", "health").getExitCode() == 0);
    }

    /** Asks a container to end, removes it, and returns the exit code of its daemon. */
    int stop(String name) {
        GenericContainer<?> container = container(name);
        docker().stopContainerCmd(container.getContainerId()).withTimeout(30).exec();
        int exitCode = Objects.requireNonNull(container.getCurrentContainerInfo().getState().getExitCodeLong()).intValue();
        keepLog(name, container);
        container.stop();
        containers.remove(name);
        return exitCode;
    }

    /** What the daemon has printed. */
    String log(String name) {
        return container(name).getLogs(OutputType.STDOUT);
    }

    @Override
    public void await(String what, Condition condition) {
        try {
            Awaitility.await().pollDelay(Duration.ZERO).pollInterval(POLL_INTERVAL).atMost(TIMEOUT).until(condition::holds);
        } catch (ConditionTimeoutException e) {
            throw new ClusterException("Not within " + TIMEOUT.toSeconds() + " s: " + what + ". Logs are in " + directory + ".", e);
        }
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> all = new HashMap<>(settings);
        all.putAll(Map.of("nimbus.seeds", List.of(address(NIMBUS)), "drpc.servers", List.of(address("drpc"))));
        return all;
    }

    /** Where the logs are when the containers have ended. */
    @Override
    public Path logs() {
        return directory;
    }

    @Override
    public Topologies topologies() {
        return new Topologies(address(NIMBUS), NIMBUS_PORT, settings());
    }

    @Override
    public List<WorkerProcess> workers() {
        return WorkerProcess.below(LOGS);
    }

    /** Submits a topology of the drop-in jar from within Nimbus's container. */
    @Override
    public String submit(Submission submission) {
        return submit(NIMBUS, submission);
    }

    @Override
    public void close() {
        containers.forEach((name, container) -> {
            keepLog(name, container);
            container.stop();
        });
        network.close();
    }

    private GenericContainer<?> daemonContainer(String name) {
        try {
            String state = makeWritable(directory.resolve("state").resolve(name)).toString();
            String output = directory.resolve("output").toString();
            return new GenericContainer<>(DockerImageName.parse(image))
                .withFileSystemBind(state, STATE, BindMode.READ_WRITE).withFileSystemBind(output, output, BindMode.READ_WRITE)
                .withFileSystemBind(directory.resolve("storm.yaml").toString(), "/etc/storm/storm.yaml", BindMode.READ_ONLY)
                .withFileSystemBind(Installations.dropInJar().toString(), JAR, BindMode.READ_ONLY);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a directory for " + name, e);
        }
    }

    private void start(String name, GenericContainer<?> container) {
        containers.put(name, container);
        container.withNetwork(network).withNetworkAliases(name)
            .withCreateContainerCmdModifier(command -> command.withHostName(name).withIpv4Address(address(name))).start();
    }

    /** The address of that name, in the network that the engine has chosen; the first ones are the engine's own. */
    synchronized String address(String name) {
        return addresses.computeIfAbsent(name, one -> {
            List<Ipam.Config> configured = docker().inspectNetworkCmd().withNetworkId(network.getId()).exec().getIpam().getConfig();
            String subnet = Objects.requireNonNull(configured.get(0).getSubnet());
            return subnet.substring(0, subnet.lastIndexOf('.') + 1) + (FIRST_ADDRESS + addresses.size());
        });
    }

    private static HostConfig hostConfig(HostConfig given) {
        return Objects.requireNonNull(given);
    }

    private GenericContainer<?> container(String name) {
        return Objects.requireNonNull(containers.get(name), () -> "there is no container " + name);
    }

    private ExecResult execute(String name, String... command) {
        try {
            return container(name).execInContainer(command);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run a command in " + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a command ran in " + name, e);
        }
    }

    private void keepLog(String name, GenericContainer<?> container) {
        try {
            Files.writeString(directory.resolve(name + ".log"), container.getLogs(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot keep the log of " + name, e);
        }
    }

    private static DockerClient docker() {
        return DockerClientFactory.instance().client();
    }

    /** Makes a directory for the user of the containers, who is nobody on this machine. */
    static Path makeWritable(Path path) throws IOException {
        Files.createDirectories(path);
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
}
