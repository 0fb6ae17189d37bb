package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessTableTest {

    @Test
    void shouldReadTheCpuTimeThatTheJvmItselfReports() {
        com.sun.management.OperatingSystemMXBean jvm =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        double before = jvm.getProcessCpuTime() / 1e9;
        double read = ProcessTable.cpuSeconds(ProcessHandle.current().pid());
        double after = jvm.getProcessCpuTime() / 1e9;
        assertTrue(before - 0.05 <= read && read <= after + 0.05, read + " is not between " + before + " and " + after);
    }

    @Test
    void shouldFindAProcessWithItsChildrenAndKillIt() throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", "sh -c 'echo $$; read never' & read other; wait").start();
        long child = Long.parseLong(parent.inputReader().readLine());
        Set<Long> both = ProcessTable.withDescendants(Set.of(parent.pid()));
        assertEquals(Set.of(parent.pid(), child), both);
        both.forEach(ProcessTable::kill);
        assertTrue(parent.waitFor(10, TimeUnit.SECONDS));
    }

    @Test
    void shouldCountNoCpuTimeWhenTheProcessIsGone() throws Exception {
        Process process = new ProcessBuilder("true").start();
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
        assertEquals(0, ProcessTable.cpuSeconds(process.pid()));
    }
}
