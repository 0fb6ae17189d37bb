package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserActionsTest {

    @TempDir
    private Path directory;

    @Test
    void shouldBeTwoDaysInWhichFewUsersDoMost() throws IOException {
        List<String> lines = Files.readAllLines(UserActions.write(directory.resolve("a/actions.tsv")));
        List<Long> times = lines.stream().map(line -> Long.parseLong(line.split("\t", -1)[1])).toList();
        Map<Integer, Long> counts = lines.stream().collect(Collectors.groupingBy(line -> Integer.parseInt(line.split("\t", -1)[0]),
            Collectors.counting()));

        assertEquals(times.stream().sorted().toList(), times);
        assertEquals(2 * 86_400.0, (double) (times.get(times.size() - 1) - times.get(0)), 10.0);
        assertTrue(counts.keySet().stream().allMatch(user -> user >= 0 && user < UserActions.USERS));
        long ofATenth = counts.entrySet().stream().filter(user -> user.getKey() < UserActions.USERS / 10)
            .mapToLong(Map.Entry::getValue).sum();
        assertEquals(0.46, (double) ofATenth / lines.size(), 0.02);
    }

    @Test
    void shouldAlwaysBeTheSame() throws IOException {
        assertEquals(-1, Files.mismatch(UserActions.write(directory.resolve("one")), UserActions.write(directory.resolve("other"))));
    }
}
