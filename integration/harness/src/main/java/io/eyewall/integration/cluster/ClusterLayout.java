package io.eyewall.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;

/**
 * The ports, addresses, directories and configuration files of a cluster, and the command lines that follow from them.
 */
final class ClusterLayout {

    private static final List<String> DAEMON_JAVA_OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final String LOGIN = "java.security.auth.login.config";
    private static final String ZOOKEEPER_MAIN = "org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServerMain";
    private static final String NIMBUS_MAIN = "org.apache.storm.daemon.nimbus.Nimbus";
    private static final String SUPERVISOR_MAIN = "org.apache.storm.daemon.supervisor.Supervisor";
    /** Both Nimbuses have the same port, and so need different hosts. */
    private static final int STANDBY_HOST = 1;

    private final ClusterSpecification specification;
    private final ClusterNetwork network;
    private final Map<String, Object> settings;
    /** The slots' ports of each supervisor, first to last. */
    private final List<List<Integer>> slotPorts = new ArrayList<>();

    /** {@code network} is null if the supervisors share the network of this machine. */
    ClusterLayout(ClusterSpecification specification, ClusterNetwork network) {
        this.specification = specification;
        this.network = network;
        this.settings = commonSettings();
        for (int number = 1; number <= specification.supervisors(); number++) {
            slotPorts.add(Ports.free(specification.slotsPerSupervisor()));
        }
    }

    /** The settings of all parts of the cluster, those of the specification included. */
    Map<String, Object> settings() {
        return settings;
    }

    int zooKeeperPort() {
        return (Integer) settings.get("storm.zookeeper.port");
    }

    String nimbusAddress() {
        return address(0);
    }

    String standbyAddress() {
        return address(STANDBY_HOST);
    }

    int nimbusPort() {
        return (Integer) settings.get("nimbus.thrift.port");
    }

    Path logs() {
        return specification.directory().resolve("logs");
    }

    Daemon zooKeeper() {
        return daemon("zookeeper", home -> {
            List<String> command = java(home, "zookeeper", 0, 128, List.of("-Dzookeeper.admin.enableServer=false"));
            command.addAll(List.of(ZOOKEEPER_MAIN, Integer.toString(zooKeeperPort()), state("zookeeper").toString(), "2000", "0"));
            return command;
        });
    }

    Daemon nimbus() {
        return nimbus("nimbus", 0, "metrics");
    }

    /** The second Nimbus. */
    Daemon standby() {
        return nimbus("standby", STANDBY_HOST, "standby-metrics");
    }

    Daemon supervisor(int number) {
        int host = host(number);
        return stormDaemon(supervisorName(number), SUPERVISOR_MAIN, host, 192, Map.of(
            "storm.local.hostname", address(host),
            "supervisor.thrift.port", Ports.free(),
            "supervisor.slots.ports", slotPorts(number)));
    }

    /** The ports of a supervisor's workers; supervisors are counted from 1. */
    List<Integer> slotPorts(int supervisor) {
        return slotPorts.get(supervisor - 1);
    }

    /** Any other daemon, on this machine, with {@code classPath} before the home's. */
    Daemon other(String name, String mainClass, Path... classPath) {
        return stormDaemon(name, mainClass, 0, 192, Map.of("storm.local.hostname", address(0)), classPath);
    }

    /** The command line that submits a topology with an installation. */
    List<String> submitCommand(StormHome home, Submission submission) {
        return submitCommand(home, submission, "client", Map.of());
    }

    /** The same for a client with settings of its own, which go to a file of that name. */
    List<String> submitCommand(StormHome home, Submission submission, String name, Map<String, Object> ownSettings) {
        Path file = write(name, ownSettings);
        List<String> command = new ArrayList<>(List.of(
            javaProgram(), "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(SharedClasses.ofWorkers(home));
        command.addAll(javaOptions(ownSettings));
        command.addAll(List.of("-Dstorm.home=" + home.root(), "-Dstorm.log.dir=" + logs(),
            "-Dstorm.conf.file=" + file, "-Dstorm.options=" + submission.encodedOptions(), "-Dstorm.jar=" + submission.jar(),
            "-Dstorm.dependency.jars=", "-Dstorm.dependency.artifacts={}",
            "-cp", home.clientClassPath(submission.jar()), submission.mainClass()));
        command.addAll(submission.arguments());
        return command;
    }

    /** The command line that runs a class of an installation as a client of the cluster, as {@code storm list} does. */
    List<String> clientCommand(StormHome home, String name, String mainClass, List<String> arguments) {
        return stormCommand(home, name, mainClass, 0, write("client", Map.of()), arguments);
    }

    /** The same for a class that runs on a supervisor's host and with its configuration, as {@code storm kill_workers} does. */
    List<String> hostCommand(StormHome home, String name, String mainClass, int supervisor, List<String> arguments) {
        Path file = specification.directory().resolve(supervisorName(supervisor) + ".yaml");
        return stormCommand(home, name, mainClass, host(supervisor), file, arguments);
    }

    private Map<String, Object> commonSettings() {
        Map<String, Object> all = new LinkedHashMap<>(specification.settings());
        String zooKeeper = specification.zooKeeper().orElseGet(() -> address(0) + ":" + Ports.free());
        int colon = zooKeeper.lastIndexOf(':');
        all.put("storm.zookeeper.servers", List.of(zooKeeper.substring(0, colon)));
        all.put("storm.zookeeper.port", Integer.valueOf(zooKeeper.substring(colon + 1)));
        all.put("nimbus.seeds", specification.standby() ? List.of(address(0), address(STANDBY_HOST)) : List.of(address(0)));
        all.put("nimbus.thrift.port", Ports.free());
        all.put("drpc.servers", List.of(address(0)));
        all.put("drpc.port", Ports.free());
        all.put("drpc.invocations.port", Ports.free());
        return all;
    }

    private Daemon nimbus(String name, int host, String metrics) {
        return stormDaemon(name, NIMBUS_MAIN, host, 384,
            Map.of("storm.local.hostname", address(host), "storm.metricstore.rocksdb.location", state(metrics).toString()));
    }

    private int host(int supervisor) {
        return network == null ? 0 : supervisor;
    }

    private static String supervisorName(int number) {
        return "supervisor-" + number;
    }

    private String address(int host) {
        return network == null ? "localhost" : network.address(host);
    }

    private Daemon stormDaemon(String name, String mainClass, int host, int heapMb, Map<String, Object> ownSettings, Path... classPath) {
        Map<String, Object> own = new LinkedHashMap<>(ownSettings);
        own.put("storm.local.dir", state(name).toString());
        Path file = write(name, own);
        return daemon(name, home -> {
            List<String> command =
                java(home, name, host, heapMb, List.of("-Ddaemon.name=" + name, "-Dstorm.conf.file=" + file), classPath);
            command.add(mainClass);
            return command;
        });
    }

    private Daemon daemon(String name, Function<StormHome, List<String>> commands) {
        Map<String, String> environment = new LinkedHashMap<>();
        specification.environment().forEach((variable, value) -> environment.put(variable, value.replace("%s", name)));
        return new Daemon(name, specification.home(), commands, state(name), logs().resolve(name), environment);
    }

    private List<String> stormCommand(StormHome home, String name, String mainClass, int host, Path file, List<String> arguments) {
        List<String> command = java(home, name, host, 128, List.of("-Dstorm.conf.file=" + file));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    private List<String> java(StormHome home, String name, int host, int heapMb, List<String> properties, Path... classPath) {
        List<String> command = new ArrayList<>(network == null ? List.of() : network.commandPrefix(host));
        command.addAll(List.of(javaProgram(), "-Xmx" + heapMb + "m"));
        command.addAll(DAEMON_JAVA_OPTIONS);
        command.addAll(SharedClasses.ofDaemons(home));
        command.addAll(javaOptions(Map.of()));
        command.addAll(List.of(
            "-Dstorm.home=" + home.root(), "-Dstorm.log.dir=" + logs().resolve(name), "-Dstorm.options=",
            "-Djava.library.path=/usr/local/lib:/usr/lib", "-Dlogfile.name=" + name + ".log",
            "-Dlog4j.configurationFile=" + home.root().resolve("log4j2").resolve("cluster.xml")));
        command.addAll(properties);
        command.addAll(List.of("-cp", home.daemonClassPath(classPath)));
        return command;
    }

    /** Those of the specification, and the file with which to log in, if the settings have one: ZooKeeper asks the JVM for it. */
    private List<String> javaOptions(Map<String, Object> ownSettings) {
        List<String> options = new ArrayList<>(specification.javaOptions());
        Object login = ownSettings.getOrDefault(LOGIN, settings.get(LOGIN));
        if (login != null) {
            options.add("-D" + LOGIN + "=" + login);
        }
        return options;
    }

    static String javaProgram() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Path state(String name) {
        return specification.directory().resolve(name);
    }

    /** Moves the complete file into place: programs that submit at the same time read the old file or the new one, never a part. */
    private Path write(String name, Map<String, Object> own) {
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.putAll(own);
        Path file = specification.directory().resolve(name + ".yaml");
        try {
            Files.createDirectories(file.getParent());
            Path written = file.resolveSibling(name + ".yaml." + UUID.randomUUID());
            Files.writeString(written, new Yaml().dump(all));
            return Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }
}
