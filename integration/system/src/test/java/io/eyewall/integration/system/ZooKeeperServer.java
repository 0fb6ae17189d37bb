package io.eyewall.integration.system;

import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A ZooKeeper server with Kerberos, of the last version that lets upstream's workers know which nodes exist, whoever may read them. */
final class ZooKeeperServer implements BeforeAllCallback, AfterAllCallback {

    private final Path directory;
    private final KerberosRealm realm;
    private Daemon daemon;
    private int port;

    ZooKeeperServer(Path directory, KerberosRealm realm) {
        this.directory = directory;
        this.realm = realm;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        port = Ports.free();
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
            "-XX:+UseSerialGC", "-Dzookeeper.admin.enableServer=false"));
        command.addAll(realm.zooKeeperOptions());
        command.addAll(List.of("-cp", Installations.zooKeeperJars() + "/*:" + Installations.upstream().root().resolve("lib") + "/*",
            "org.apache.zookeeper.server.ZooKeeperServerMain", String.valueOf(port),
            directory.resolve("data-" + port).toString(), "2000", "0"));
        daemon = new Daemon("zookeeper", command, directory, directory);
        daemon.start();
        Awaitility.await("ZooKeeper listens; if it does not, it says why in " + directory).atMost(Duration.ofMinutes(4))
            .until(() -> Ports.listens(port));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (daemon != null) {
            daemon.kill();
        }
    }

    /** The address, as host:port. */
    String address() {
        return "localhost:" + port;
    }
}
