package io.eyewall.core.security;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate that somebody has made for himself: a store with its key, and a store of those that trust it. */
final class Stores {

    /** Of both stores. */
    static final String PASSWORD = "changeit";

    private final Path directory = Files.createTempDirectory("tls");

    /** The certificate names the common name {@code certified}, which is also its host. */
    Stores(String certified) throws Exception {
        Path certificate = directory.resolve("certificate");
        for (String path : List.of(directory.toString(), certificate.toString(), keys(), trusted())) {
            new File(path).deleteOnExit(); // The last one is deleted first.
        }
        keytool("-genkeypair", "-alias", "own", "-keyalg", "EC", "-dname", "CN=" + certified, "-ext", "SAN=dns:" + certified,
            "-keystore", keys());
        keytool("-exportcert", "-alias", "own", "-file", certificate.toString(), "-keystore", keys());
        keytool("-importcert", "-noprompt", "-alias", "own", "-file", certificate.toString(), "-keystore", trusted());
    }

    String keys() {
        return directory.resolve("keys.p12").toString();
    }

    String trusted() {
        return directory.resolve("trusted.p12").toString();
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IllegalStateException("keytool failed: " + command);
        }
    }
}
