package io.eyewall.elasticity.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The worked example of the handbook is what the code prints. */
class WorkedExamplePageTest {

    private static final Path PAGE = Path.of("..", "docs", "explanation", "scaling.md");

    @Test
    void shouldShowWhatStelaPrintsWhenTheWorkedExampleGrows() throws IOException, ScalingRefusedException {
        assertShown(ScalingStrategy.ETP, Direction.OUT);
    }

    @Test
    void shouldShowWhatStelaPrintsWhenTheWorkedExampleShrinks() throws IOException, ScalingRefusedException {
        assertShown(ScalingStrategy.ETP, Direction.IN);
    }

    private static void assertShown(ScalingStrategy strategy, Direction direction) throws IOException, ScalingRefusedException {
        SnapshotBuilder figure = WorkedExample.snapshot();
        String printed = ScalingPlanners.of(strategy, WorkedExample.CONFIGURATION)
            .plan(figure.build(), figure.goal(direction, 1)).explain();
        assertTrue(Files.readString(PAGE).contains(printed.replace(System.lineSeparator(), "\n")),
            () -> PAGE + " does not contain:\n" + printed);
    }
}
