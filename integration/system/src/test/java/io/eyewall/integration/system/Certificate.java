package io.eyewall.integration.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate that a host has made for itself, with its key.
 *
 * @param keys a store with both
 * @param trusted a store with the certificate
 */
record Certificate(Path keys, Path trusted) {

    /** Of both stores. */
    static final String PASSWORD = "changeit";

    /** Makes one for this name in {@code directory}. */
    static Certificate of(String name, Path directory) {
        Certificate made = new Certificate(directory.resolve(name + ".p12"), directory.resolve(name + "-trusted.p12"));
        Path exported = directory.resolve(name + ".cert");
        Path log = directory.resolve(name + ".out");
        try {
            Files.createDirectories(directory);
            for (Path earlier : List.of(made.keys, made.trusted)) {
                Files.deleteIfExists(earlier);
            }
            keytool(log, "-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name, "-ext", "SAN=dns:" + name,
                "-keystore", made.keys.toString());
            keytool(log, "-exportcert", "-alias", name, "-file", exported.toString(), "-keystore", made.keys.toString());
            keytool(log, "-importcert", "-noprompt", "-alias", name, "-file", exported.toString(), "-keystore", made.trusted.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a certificate in " + directory, e);
        }
        return made;
    }

    /** A store with this certificate and the other one, which has another name. */
    Path trustedWith(Certificate other) {
        Path both = keys.resolveSibling("both.p12");
        try {
            Files.deleteIfExists(both);
            for (Path one : List.of(trusted, other.trusted)) {
                keytool(keys.resolveSibling("both.out"), "-importkeystore", "-srckeystore", one.toString(), "-srcstorepass", PASSWORD,
                    "-destkeystore", both.toString(), "-deststorepass", PASSWORD);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make " + both, e);
        }
        return both;
    }

    /** Has the workers of a topology talk over TLS, each with this certificate. */
    Map<String, String> betweenWorkers() {
        Map<String, String> settings = new LinkedHashMap<>(Map.of("storm.messaging.netty.tls.enable", "true"));
        for (String side : List.of("", "client.")) {
            settings.put("storm.messaging.netty.tls." + side + "keystore.path", keys.toString());
            settings.put("storm.messaging.netty.tls." + side + "keystore.password", PASSWORD);
            settings.put("storm.messaging.netty.tls." + side + "truststore.path", trusted.toString());
            settings.put("storm.messaging.netty.tls." + side + "truststore.password", PASSWORD);
        }
        return settings;
    }

    /** Has Nimbus answer over TLS at this port, to clients with a certificate that these trust. */
    Map<String, Object> ofNimbus(int port, Path trustedClients) {
        return Map.of("nimbus.thrift.tls.port", port,
            "nimbus.thrift.tls.server.keystore.path", keys.toString(), "nimbus.thrift.tls.server.keystore.password", PASSWORD,
            "nimbus.thrift.tls.server.truststore.path", trustedClients.toString(),
            "nimbus.thrift.tls.server.truststore.password", PASSWORD);
    }

    /** Has a client with this certificate ask a Nimbus over TLS that has one of these. */
    Map<String, Object> ofClient(Path trustedNimbus) {
        return Map.of("nimbus.thrift.client.use.tls", true,
            "nimbus.thrift.tls.client.keystore.path", keys.toString(), "nimbus.thrift.tls.client.keystore.password", PASSWORD,
            "nimbus.thrift.tls.client.truststore.path", trustedNimbus.toString(),
            "nimbus.thrift.tls.client.truststore.password", PASSWORD);
    }

    /** Has Supervisors with this certificate answer over TLS to those whose certificates these trust, and Nimbus ask with this one, too. */
    Map<String, Object> ofSupervisors(Path trustedClients) {
        Map<String, Object> settings = new LinkedHashMap<>(ofSupervisorsClient());
        settings.put("supervisor.thrift.client.use.tls", true);
        settings.put("supervisor.thrift.tls.server.keystore.path", keys.toString());
        settings.put("supervisor.thrift.tls.server.keystore.password", PASSWORD);
        settings.put("supervisor.thrift.tls.server.truststore.path", trustedClients.toString());
        settings.put("supervisor.thrift.tls.server.truststore.password", PASSWORD);
        settings.put("supervisor.thrift.tls.client.truststore.path", trusted.toString());
        settings.put("supervisor.thrift.tls.client.truststore.password", PASSWORD);
        return settings;
    }

    /** Has a client of Supervisors ask with this certificate. */
    Map<String, String> ofSupervisorsClient() {
        return Map.of("supervisor.thrift.tls.client.keystore.path", keys.toString(),
            "supervisor.thrift.tls.client.keystore.password", PASSWORD);
    }

    /** What makes connections of a client with this certificate, to servers that have it as well. */
    SSLContext context() throws GeneralSecurityException, IOException {
        char[] password = PASSWORD.toCharArray();
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(KeyStore.getInstance(keys.toFile(), password), password);
        TrustManagerFactory servers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        servers.init(KeyStore.getInstance(trusted.toFile(), password));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), servers.getTrustManagers(), null);
        return context;
    }

    private static void keytool(Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
        try {
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("keytool failed, see " + log + ": " + command);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while keytool ran.", e);
        }
    }
}
