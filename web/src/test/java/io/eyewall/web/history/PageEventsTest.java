package io.eyewall.web.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.WorkerSummary;
import org.junit.jupiter.api.Test;

class PageEventsTest {

    private final PageEvents events = new PageEvents();

    @Test
    void shouldFindAWorkerThatHasStartedAgainAndNoneThatOnlyCountsDifferently() {
        assertEquals(List.of(), events.next(page(100, 0, ""), 1_000, null));
        assertEquals(List.of(), events.next(page(105, 0, ""), 1_010, null));
        assertEquals(List.of(new Event("restart", "the worker h:6700 has started again")), events.next(page(3, 0, ""), 1_020, null));
        assertEquals(List.of(), events.next(page(13, 0, ""), 1_030, null));
    }

    @Test
    void shouldFindErrorsThatAreNew() {
        assertEquals(List.of(), events.next(page(1, 990, "old"), 1_000, null), "nobody knows what was before");
        assertEquals(List.of(), events.next(page(11, 990, "old"), 1_010, 1_000L));
        assertEquals(List.of(new Event("error", "count: java.lang.Error: x")),
            events.next(page(21, 1_015, "java.lang.Error: x\n\tat y"), 1_020, 1_010L));
        assertEquals(List.of(new Event("error", "count: seen before")), new PageEvents().next(page(1, 995, "seen before"), 1_000, 990L));
    }

    private static TopologyPageInfo page(int uptimeSecs, int errorSecs, String error) {
        WorkerSummary worker = new WorkerSummary();
        worker.set_host("h");
        worker.set_port(6700);
        worker.set_uptime_secs(uptimeSecs);
        ComponentAggregateStats stats = new ComponentAggregateStats();
        if (errorSecs > 0) {
            stats.set_last_error(new ErrorInfo(error, errorSecs));
        }
        TopologyPageInfo page = new TopologyPageInfo("t-1-1");
        page.set_workers(List.of(worker));
        page.set_id_to_spout_agg_stats(Map.of());
        page.set_id_to_bolt_agg_stats(Map.of("count", stats));
        return page;
    }
}
