package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExecutorChangeTest {

    @Test
    void shouldLetEverythingStayWhenTheAssignmentIsTheSame() {
        assertEquals(new ExecutorChange(Set.of(executor(1, 2)), Set.of(), Set.of()),
            ExecutorChange.between(Set.of(executor(1, 2)), Set.of(executor(1, 2))));
    }

    @Test
    void shouldReportWhatLeavesAndArrivesWhenExecutorsMove() {
        assertEquals(new ExecutorChange(Set.of(executor(1, 1)), Set.of(executor(2, 2)), Set.of(executor(3, 3))),
            ExecutorChange.between(Set.of(executor(1, 1), executor(2, 2)), Set.of(executor(1, 1), executor(3, 3))));
    }

    @Test
    void shouldExchangeRangesWhenAnExecutorIsSplit() {
        assertEquals(new ExecutorChange(Set.of(), Set.of(executor(1, 4)), Set.of(executor(1, 2), executor(3, 4))),
            ExecutorChange.between(Set.of(executor(1, 4)), Set.of(executor(1, 2), executor(3, 4))));
    }

    private static List<Long> executor(long firstTask, long lastTask) {
        return List.of(firstTask, lastTask);
    }
}
