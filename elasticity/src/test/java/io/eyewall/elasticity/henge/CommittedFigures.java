package io.eyewall.elasticity.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of figures from simulations that the handbook shows; {@code -Deyewall.write.curves=true} writes them anew. */
final class CommittedFigures {

    private static final boolean IS_WRITTEN = Boolean.getBoolean("eyewall.write.curves");
    private static final Path DIRECTORY = Path.of("..", "benchmarks", "henge");
    /** The beginning of a line, whose side is quoted, up to the number of its round. */
    private static final Pattern ROUND = Pattern.compile("^[^\"]*\"[^\"]*\",(\\d+),");

    private CommittedFigures() {
    }

    /** Fails if the file has other lines than the simulation gives. */
    static void assertSame(String name, List<String> lines) throws IOException {
        assertSame(name, Integer.MAX_VALUE, lines);
    }

    /**
     * Fails if the file has other lines of the first rounds than the simulation gives, or another header.
     *
     * @return all lines of the file
     */
    static List<String> assertSame(String name, int rounds, List<String> lines) throws IOException {
        Path file = DIRECTORY.resolve(name);
        if (IS_WRITTEN) {
            Files.createDirectories(DIRECTORY);
            Files.write(file, lines);
        }
        List<String> all = Files.readAllLines(file);
        assertEquals(lines, all.stream().filter(line -> isOf(line, rounds)).toList(),
            file + " is not what the simulation gives: -Deyewall.write.curves=true writes it");
        return all;
    }

    /** How many of so many rounds a test plays: all to write the file or in a long run, otherwise the first two. */
    static int played(int rounds) {
        return IS_WRITTEN ? rounds : Math.min(rounds, Integer.getInteger("eyewall.simulation.seeds", 2));
    }

    private static boolean isOf(String line, int rounds) {
        Matcher round = ROUND.matcher(line);
        return !round.find() || Integer.parseInt(round.group(1)) <= rounds;
    }
}
