package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CompilerThreadsTest {

    @Test
    void shouldSeeThisJvmCompile() {
        long pid = ProcessHandle.current().pid();

        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> CompilerThreads.cpuSeconds(pid) > 0);
    }

    @Test
    void shouldCountLessThanAllCpuTimeOfTheProcess() throws IOException {
        double compiling = CompilerThreads.cpuSeconds(ProcessHandle.current().pid());

        double all = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() / 1000.0;
        assertTrue(compiling < all, compiling + " of " + all);
    }

    @Test
    void shouldSeeNothingOfAProcessThatIsNotThere() throws IOException {
        assertEquals(0, CompilerThreads.cpuSeconds(Long.MAX_VALUE));
    }
}
