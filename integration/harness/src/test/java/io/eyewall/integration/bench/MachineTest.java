package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class MachineTest {

    @Test
    void shouldSayWhatFiguresWereMeasuredOn() throws IOException {
        String machine = Machine.describe();

        assertTrue(machine.matches("\\d+ cores \\(.+\\), \\d+ GiB, Linux \\S+, .+ \\d+.*"), machine);
    }
}
