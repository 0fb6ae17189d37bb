package io.eyewall.client.stream.container;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.plan.Instance;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When an instance may be started. */
class ContainerProcessesTest {

    private static final Instance INSTANCE = new Instance(4, "count", List.of(List.of(4L, 5L)));

    @Test
    void shouldStartAnInstanceThatRunsNowhere() {
        assertTrue(ContainerProcesses.mayStart(INSTANCE, Set.of(4, 5), Set.of()));
        assertTrue(ContainerProcesses.mayStart(INSTANCE, Set.of(3, 4, 5), Set.of(3, 6)));
    }

    @Test
    void shouldNotStartAnInstanceThatTheStreamManagerDoesNotName() {
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Set.of(), Set.of()));
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Set.of(3, 44, 5), Set.of()));
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Set.of(4), Set.of()), "another container may have the other task");
    }

    @Test
    void shouldNotStartAnInstanceWithATaskOfOneThatLeaves() {
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Set.of(4, 5), Set.of(5, 6)));
    }
}
