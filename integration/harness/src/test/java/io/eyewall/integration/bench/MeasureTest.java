package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class MeasureTest {

    @Test
    void shouldTakeItsFigureFromARun() {
        RunResult run = BenchResults.run(200_000, 1000, 3);

        assertEquals(200_000, Measure.THROUGHPUT.of(run));
        assertEquals(1.5, Measure.CPU.of(run), 1e-9);
        assertEquals(500_000, Measure.P50.of(run), 500);
        assertEquals(999_000, Measure.P99_9.of(run), 1000);
        assertEquals(1_000_000, Measure.MAX.of(run), 1000);
        assertEquals(0, Measure.FAILED.of(run));
    }

    @Test
    void shouldHaveAColumnForEachFigure() {
        RunResult run = BenchResults.run(200_000, 1000, 3);

        assertEquals(Measure.quantities().stream().map(quantity -> quantity.column()).toList(),
            Measure.figures(run).keySet().stream().toList());
        assertEquals(new BigDecimal("200000.0"), Measure.figures(run).get("tuples_per_s"));
        assertEquals(new BigDecimal("1.5000"), Measure.figures(run).get("cpu_s_per_million_tuples"));
    }
}
