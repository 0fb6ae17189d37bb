package io.eyewall.integration.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The input of the topology {@code rtac}: what the users of a service do within two days, of whom few do most. Always the same.
 */
final class UserActions {

    static final int USERS = 20_000;
    private static final int ACTIONS = 100_000;
    private static final long FIRST_SEC = 1_700_000_000;
    private static final long DAYS_SEC = 2 * 86_400;
    /** A tenth of the users does nearly half. */
    private static final int SKEW = 3;
    private static final long SEED = 1;

    private UserActions() {
    }

    /** Writes a line for each action, with the user and the time in seconds since 1970; returns the file. */
    static Path write(Path file) {
        Random random = new Random(SEED);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            return Files.write(file, IntStream.range(0, ACTIONS)
                .mapToObj(i -> (int) (USERS * Math.pow(random.nextDouble(), SKEW)) + "\t" + (FIRST_SEC + i * DAYS_SEC / ACTIONS)).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }
}
