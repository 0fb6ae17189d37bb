package io.eyewall.client.stream.container;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.plan.Instance;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When an instance may be started. */
class ContainerProcessesTest {

    private static final Instance INSTANCE = new Instance(4, "count", List.of(List.of(4L, 5L)));

    @Test
    void shouldStartAnInstanceThatRunsNowhere() {
        assertTrue(ContainerProcesses.mayStart(INSTANCE, Optional.of(""), Set.of()));
        assertTrue(ContainerProcesses.mayStart(INSTANCE, Optional.of("3\n44"), Set.of(3, 6)));
    }

    @Test
    void shouldStartNoneUntilTheStreamManagerKnowsOfTheOthers() {
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Optional.empty(), Set.of()));
    }

    @Test
    void shouldNotStartAnInstanceThatAnotherContainerHas() {
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Optional.of("3\n4"), Set.of()));
    }

    @Test
    void shouldNotStartAnInstanceWithATaskOfOneThatLeaves() {
        assertFalse(ContainerProcesses.mayStart(INSTANCE, Optional.of(""), Set.of(5, 6)));
    }
}
