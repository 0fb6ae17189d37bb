package io.eyewall.integration.bench.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {

    @Test
    void shouldSayWhatFiguresWereMeasuredOn() throws IOException {
        String machine = Machine.describe();

        assertTrue(machine.matches("\\d+ cores \\(.+\\), \\d+ GiB, Linux [\\d.]+, .+ \\d+.*"), machine);
    }

    @Test
    void shouldCountWhatTheHypervisorWithholds(@TempDir Path directory) throws IOException {
        Path stat = Files.writeString(directory.resolve("stat"), "cpu  10 20 30 40 50 60 70 850 90 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n");

        assertEquals(8.5, Machine.stolenSeconds(stat));
        assertTrue(Machine.stolenSecondsPerCore() >= 0);
    }
}
