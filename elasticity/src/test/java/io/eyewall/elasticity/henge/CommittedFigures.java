package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files of figures from simulations that the handbook shows; {@code -Deyewall.write.curves=true} writes them anew. */
final class CommittedFigures {

    private static final Path DIRECTORY = Path.of("..", "benchmarks", "henge");

    private CommittedFigures() {
    }

    /** Fails if the file has other lines than the simulation gives. */
    static void assertSame(String name, List<String> lines) throws IOException {
        Path file = DIRECTORY.resolve(name);
        if (Boolean.getBoolean("eyewall.write.curves")) {
            Files.createDirectories(DIRECTORY);
            Files.write(file, lines);
        }
        assertEquals(lines, Files.readAllLines(file), file + " is not what the simulation gives: -Deyewall.write.curves=true writes it");
    }
}
