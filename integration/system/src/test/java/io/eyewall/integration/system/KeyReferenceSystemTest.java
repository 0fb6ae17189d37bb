package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the committed reference of all keys against the keys that the installation has. */
class KeyReferenceSystemTest {

    @Test
    void shouldBeTheReferenceThatTheInstallationWrites(@TempDir Path directory) throws Exception {
        Path written = directory.resolve("keys.md");
        Path home = Path.of(System.getProperty("eyewall.home"));
        Process writer = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            home.resolve("lib") + "/*", "io.eyewall.core.reference.KeyReference", written.toString()).inheritIO().start();
        assertEquals(0, writer.waitFor());
        Path page = Path.of(System.getProperty("eyewall.root"), "docs", "reference", "keys.md");
        assertEquals(Files.readString(written), Files.readString(page),
            "docs/reference/keys.md is not what the code declares: write it anew with `bin/docs generate`.");
    }
}
