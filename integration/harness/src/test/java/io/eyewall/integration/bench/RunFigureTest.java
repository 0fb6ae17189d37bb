package io.eyewall.integration.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.Quantity;
import java.math.BigDecimal;
import java.util.List;
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

        assertEquals(List.of("tuples_per_s", "p50_ns", "p90_ns", "p99_ns", "p99.9_ns", "max_ns", "cpu_s_per_million_tuples",
            "messages_failed"), List.copyOf(RunFigure.figures(run).keySet()));
        assertEquals(new BigDecimal("200000.0"), RunFigure.figures(run).get("tuples_per_s"));
        assertEquals(new BigDecimal("1.5000"), RunFigure.figures(run).get("cpu_s_per_million_tuples"));
    }

    @Test
    void shouldCountDeadlinesMetAndBulkWhereAScenarioHasThem() {
        RunResult run = BenchResults.run(Scenario.named("engine/deadlines/shared").get(0), 40_000, 25_000, 3, 0);

        assertEquals(80, RunFigure.DEADLINES_MET.of(run), 0.2, "of 25 us to 25 ms, those of 20 ms at most");
        assertEquals(30_000, RunFigure.BULK.of(run));
        Measurement both = Measurement.ofRound(run.scenario().setting(), "pool", 1,
            Circumstances.of(1, 10, "2026-11-23", "2 cores").ofRun("0.1.0", 0), RunFigure.figures(run));
        assertEquals(List.of("tuples/s", "bulk, messages/s", "p50, ms", "p90, ms", "p99, ms", "p99.9, ms", "max, ms", "deadlines met, %",
            "CPU, s per million tuples", "messages failed"),
            RunFigure.quantities(List.of(both)).stream().map(quantity -> quantity.title(Quantity.Scale.MS)).toList());
    }
}
