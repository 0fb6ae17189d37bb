package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class RunFigureTest {

    @Test
    void shouldTakeItsFigureFromARun() {
        RunResult run = BenchResults.run(200_000, 1000, 3);

        assertEquals(200_000, RunFigure.THROUGHPUT.of(run));
        assertEquals(1.5, RunFigure.CPU.of(run), 1e-9);
        assertEquals(500_000, RunFigure.P50.of(run), 500);
        assertEquals(999_000, RunFigure.P99_9.of(run), 1000);
        assertEquals(1_000_000, RunFigure.MAX.of(run), 1000);
        assertEquals(0, RunFigure.FAILED.of(run));
    }

    @Test
    void shouldHaveAColumnForEachFigure() {
        RunResult run = BenchResults.run(200_000, 1000, 3);

        assertEquals(RunFigure.quantities().stream().map(quantity -> quantity.column()).toList(),
            RunFigure.figures(run).keySet().stream().toList());
        assertEquals(new BigDecimal("200000.0"), RunFigure.figures(run).get("tuples_per_s"));
        assertEquals(new BigDecimal("1.5000"), RunFigure.figures(run).get("cpu_s_per_million_tuples"));
    }
}
