package io.eyewall.core.security;

import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate that somebody has made for himself: a store with its key, and a store of those that trust it. */
final class Stores {

    /** Of both stores. */
    static final String PASSWORD = "changeit";

    private static final String TYPE = "PKCS12";
    private static final String ALIAS = "own";

    private final Path directory = Files.createTempDirectory("tls");

    /** The certificate names the common name {@code certified}, which is also its host. */
    Stores(String certified) throws Exception {
        for (String path : List.of(directory.toString(), keys(), trusted())) {
            new File(path).deleteOnExit(); // The last one is deleted first.
        }
        generateKey(certified);
        KeyStore own = KeyStore.getInstance(new File(keys()), PASSWORD.toCharArray());
        KeyStore others = KeyStore.getInstance(TYPE);
        others.load(null, null);
        others.setCertificateEntry(ALIAS, own.getCertificate(ALIAS));
        try (OutputStream out = Files.newOutputStream(Path.of(trusted()))) {
            others.store(out, PASSWORD.toCharArray());
        }
    }

    private void generateKey(String certified) throws Exception {
        List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:+UseSerialGC",
            "-J-XX:TieredStopAtLevel=1", "-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-dname", "CN=" + certified,
            "-ext", "SAN=dns:" + certified, "-keystore", keys(), "-storetype", TYPE, "-storepass", PASSWORD);
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IllegalStateException("keytool failed: " + command);
        }
    }

    String keys() {
        return directory.resolve("keys.p12").toString();
    }

    String trusted() {
        return directory.resolve("trusted.p12").toString();
    }
}
