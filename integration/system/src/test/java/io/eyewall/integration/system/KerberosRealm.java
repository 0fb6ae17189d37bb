package io.eyewall.integration.system;

import io.eyewall.integration.cluster.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.security.URIParameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Kerberos realm with a KDC in this process, which starts before the tests of a class: ZooKeeper, one user for all of Storm's daemons,
 * and other users. It makes the files with which processes log in.
 */
final class KerberosRealm implements BeforeAllCallback {

    /** The user that Storm's daemons are. */
    static final String DAEMONS = "storm";

    /** A tenant. */
    static final String ALICE = "alice";
    /** Another tenant. */
    static final String BOB = "bob";
    /** May look at the tenants' topologies. */
    static final String READER = "reader";

    /** May act for others, if a cluster says so. */
    static final String PROXY = "proxy";

    private static final KerberosRealm OF_THIS_JVM =
        new KerberosRealm(Installations.workDirectory("realm-" + ProcessHandle.current().pid()), ALICE, BOB, READER, PROXY);
    private static final String LOGIN = "java.security.auth.login.config";
    private static final String REALM = "EXAMPLE.COM";
    private static final String HOST = "localhost";
    /** What a browser asks for a ticket to. */
    private static final String WEB = "HTTP/" + HOST;

    private final Path directory;
    private final List<String> users;
    /** Runs until this JVM ends: what this process keeps of one KDC's tickets is no good with the keys of another. */
    private SimpleKdcServer kdc;

    /** The one realm of this JVM, with users {@link #ALICE}, {@link #BOB}, {@link #READER} and {@link #PROXY}. */
    static KerberosRealm ofThisJvm() {
        return OF_THIS_JVM;
    }

    private KerberosRealm(Path directory, String... users) {
        this.directory = directory.toAbsolutePath();
        this.users = List.of(users);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws KrbException, IOException {
        if (kdc != null) {
            // A test that fails runs once more, in the same process.
            return;
        }
        Files.createDirectories(directory);
        kdc = new SimpleKdcServer();
        kdc.setWorkDir(directory.toFile());
        kdc.setKdcHost(HOST);
        kdc.setKdcRealm(REALM);
        kdc.setAllowUdp(false);
        kdc.setKdcTcpPort(Ports.free());
        kdc.init();
        kdc.start();
        String zooKeeper = principal("zookeeper/" + HOST);
        String daemons = principal(DAEMONS + "/" + HOST);
        Files.writeString(jaas(DAEMONS), section("Server", zooKeeper, "") + section("Client", daemons, "zookeeper")
            + section("StormServer", daemons, "") + section("StormClient", daemons, DAEMONS));
        principal(WEB);
        for (String user : users) {
            Files.writeString(jaas(user), section("StormClient", principal(user), DAEMONS));
        }
    }

    /** The option with which a Java process finds the realm. */
    String javaOption() {
        return "-Djava.security.krb5.conf=" + directory.resolve("krb5.conf");
    }

    /** Options of the Java processes of a cluster, for ZooKeeper as well as for its clients. */
    List<String> javaOptions() {
        return zooKeeperOptions("org.apache.storm.shade.");
    }

    /** Options of a ZooKeeper server that is none of Storm's. */
    List<String> zooKeeperOptions() {
        List<String> options = new ArrayList<>(zooKeeperOptions(""));
        options.add("-D" + LOGIN + "=" + jaas(DAEMONS));
        return options;
    }

    private List<String> zooKeeperOptions(String shade) {
        String zooKeeper = "-Dzookeeper.";
        return List.of(
            javaOption(),
            zooKeeper + "authProvider.1=" + shade + "org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
            zooKeeper + "kerberos.removeHostFromPrincipal=true",
            zooKeeper + "kerberos.removeRealmFromPrincipal=true",
            zooKeeper + "sasl.client.canonicalize.hostname=false");
    }

    /**
     * The settings of a cluster whose daemons and clients log in with Kerberos, whose tenants are {@link #ALICE} and {@link #BOB}, and
     * whose workers authenticate each other.
     */
    Map<String, Object> clusterSettings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put(LOGIN, jaas(DAEMONS).toString());
        settings.put("storm.thrift.transport", "org.apache.storm.security.auth.kerberos.KerberosSaslTransportPlugin");
        settings.put("storm.principal.tolocal", "org.apache.storm.security.auth.KerberosPrincipalToLocal");
        settings.put("storm.zookeeper.superACL", "sasl:" + DAEMONS);
        settings.put("nimbus.daemon.users", List.of(DAEMONS));
        settings.put("nimbus.supervisor.users", List.of(DAEMONS));
        settings.put("nimbus.admins", List.of(DAEMONS));
        settings.put("nimbus.users", List.of(ALICE, BOB));
        settings.put("nimbus.authorizer", "org.apache.storm.security.auth.authorizer.SimpleACLAuthorizer");
        settings.put("supervisor.authorizer", "org.apache.storm.security.auth.authorizer.SupervisorSimpleACLAuthorizer");
        settings.put("storm.blobstore.acl.validation.enabled", true);
        settings.put("storm.messaging.netty.authentication", true);
        return settings;
    }

    /** The settings with which a client is this user. */
    Map<String, Object> clientSettings(String user) {
        return Map.of(LOGIN, jaas(user).toString());
    }

    /** The settings with which Hadoop's filter asks users of a web interface for their tickets. */
    Map<String, Object> webSettings(String daemon) {
        String full = full(WEB);
        return Map.of(daemon + ".filter", "org.apache.hadoop.security.authentication.server.AuthenticationFilter",
            daemon + ".filter.params", Map.of("type", "kerberos", "kerberos.name.rules", "DEFAULT", "kerberos.principal", full,
                "kerberos.keytab", keyTab(full).toString()));
    }

    /** Does something in this process as a user, with its tickets. */
    <T> T as(String user, PrivilegedExceptionAction<T> action)
            throws GeneralSecurityException, PrivilegedActionException {
        Configuration logins = Configuration.getInstance("JavaLoginConfig", new URIParameter(jaas(user).toUri()));
        LoginContext login = new LoginContext("StormClient", new Subject(), null, logins);
        login.login();
        try {
            return Subject.doAs(login.getSubject(), action);
        } finally {
            login.logout();
        }
    }

    private Path jaas(String user) {
        return directory.resolve(user + ".jaas");
    }

    /** Makes a principal, and a file with its key. */
    private String principal(String name) throws KrbException, IOException {
        String full = full(name);
        kdc.createPrincipal(full);
        // Of an earlier JVM.
        Files.deleteIfExists(keyTab(full));
        kdc.exportPrincipal(full, keyTab(full).toFile());
        return full;
    }

    private static String full(String name) {
        return name + "@" + REALM;
    }

    private Path keyTab(String principal) {
        return directory.resolve(principal.replace('/', '-') + ".keytab");
    }

    private String section(String name, String principal, String service) {
        return name + " {\n  com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true useTicketCache=false"
            + " refreshKrb5Config=true keyTab=\"" + keyTab(principal) + "\" principal=\"" + principal + "\""
            + (service.isEmpty() ? "" : " serviceName=\"" + service + "\"") + ";\n};\n";
    }
}
