package io.eyewall.tail.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatencyTableTest {

    private static final ComponentPlan CHAIN = new ComponentPlan(Map.of("source", Set.of(), "relay", Set.of("source"),
        "sink", Set.of("relay")));

    @Test
    void shouldShowHopsInTheOrderInWhichTuplesPassAndWhatSpansThemBelow() {
        WorkerSnapshot one = new EndpointAnswer()
            .hop("complete/source/1/source:default", 2_600_000)
            .hop("execute/relay/2/source:default", 10_000)
            .hop("receive-queue-wait/relay/2/source:default", 100_000)
            .hop("serialize/relay/2/relay:default", 3_000)
            .hop("emit-to-enqueue/__worker/-1/two:6700", 1_100_000)
            .hop("transfer-queue-wait/__worker/-1/two:6700", 50_000)
            .hop("end-to-end/relay/2/source:default", 120_000)
            .snapshot();
        WorkerSnapshot two = new EndpointAnswer()
            .unsureHop("network/__worker/-1/one:6700", 45_000, 0, 30_000, 60_000, 70_000, 80_000)
            .hop("deserialize/__worker/-1/relay:default", 4_000)
            .hop("execute/sink/4/relay:default", 20_000)
            .unsureHop("end-to-end/sink/4/relay:default", 45_000, 0, 1_000_000, 2_000_000, 3_000_000)
            .snapshot();

        assertEquals("""
            hop                  way              count      p50      p90      p99    p99.9      max     clocks   share
            receive-queue-wait   source -> relay     1*   100 us   100 us   100 us   100 us   100 us              5.0 %
            execute              source -> relay     1*  10.0 us  10.0 us  10.0 us  10.0 us  10.0 us              0.5 %
            serialize            relay ->            1*  3.00 us  3.00 us  3.00 us  3.00 us  3.00 us              0.1 %
            deserialize          relay ->            1*  4.00 us  4.00 us  4.00 us  4.00 us  4.00 us              0.2 %
            execute              relay -> sink       1*  20.0 us  20.0 us  20.0 us  20.0 us  20.0 us              1.0 %
            emit-to-enqueue      -> two:6700         1*  1.10 ms  1.10 ms  1.10 ms  1.10 ms  1.10 ms             55.0 %  <- worst
            transfer-queue-wait  -> two:6700         1*  50.0 us  50.0 us  50.0 us  50.0 us  50.0 us              2.5 %
            network              one:6700 ->         4*  60.0 us  80.1 us  80.1 us  80.1 us  80.1 us  +-45.0 us   3.0 %

            end-to-end           source -> relay     1*   120 us   120 us   120 us   120 us   120 us
            end-to-end           relay -> sink       3*  2.00 ms  3.00 ms  3.00 ms  3.00 ms  3.00 ms  +-45.0 us
            complete             source              1*  2.60 ms  2.60 ms  2.60 ms  2.60 ms  2.60 ms
            """, text(new LatencyTable(CHAIN, List.of(one, two), null)));
    }

    @Test
    void shouldShowWhatAFigureIsAtMostWhenTheClocksMayDifferByMore() {
        LatencyTable table = table(new EndpointAnswer()
            .unsureHop("network/__worker/-1/one:6700", 45_000, 0, 30_000, 30_000, 50_000));

        assertEquals("""
            hop      way          count       p50      p90      p99    p99.9      max     clocks  share
            network  one:6700 ->     3*  <75.0 us  50.0 us  50.0 us  50.0 us  50.0 us  +-45.0 us
            """, text(table));
        assertTrue(table.hasUncertain());
    }

    @Test
    void shouldMergeTheTasksOfAComponentAndNotItsStreams() {
        LatencyTable table = table(new EndpointAnswer()
            .hop("execute/relay/2/source:default", 10_000)
            .hop("execute/relay/3/source:default", 30_000)
            .hop("execute/relay/3/source:errors", 50_000));

        assertEquals("""
            hop      way                     count      p50      p90      p99    p99.9      max  share
            execute  source -> relay            2*  10.0 us  30.0 us  30.0 us  30.0 us  30.0 us
            execute  source:errors -> relay     1*  50.0 us  50.0 us  50.0 us  50.0 us  50.0 us
            """, text(table));
    }

    @Test
    void shouldShowOneComponentWhenAskedFor() {
        LatencyTable table = new LatencyTable(CHAIN, List.of(new EndpointAnswer()
            .hop("execute/relay/2/source:default", 10_000)
            .hop("execute/sink/3/relay:default", 10_000)
            .unsureHop("network/__worker/-1/one:6700", 45_000, 3, 10_000)
            .hop("end-to-end/sink/3/relay:default", 40_000)
            .hop("end-to-end/relay/2/source:default", 40_000).snapshot()), "sink");

        List<String> lines = table.lines();

        assertEquals(List.of("hop", "execute", "", "end-to-end"), lines.stream().map(line -> line.split(" ", 2)[0]).toList());
        assertTrue(lines.get(1).contains("relay -> sink") && lines.get(1).contains("25.0 %"), lines.get(1));
        assertFalse(table.hasUncertain());
        assertEquals(0, table.dropped());
    }

    @Test
    void shouldNotCallAHopTheWorstWhoseClocksMayDifferByMore() {
        LatencyTable table = table(new EndpointAnswer()
            .unsureHop("network/__worker/-1/one:6700", 45_000, 0, 30_000)
            .hop("execute/sink/3/relay:default", 10_000)
            .unsureHop("end-to-end/sink/3/relay:default", 45_000, 0, 50_000));

        List<String> lines = table.lines();

        assertTrue(lines.get(1).contains("20.0 %") && lines.get(1).endsWith("<- worst"), lines.get(1));
        assertTrue(lines.get(2).startsWith("network") && lines.get(2).endsWith("+-45.0 us"), lines.get(2));
    }

    @Test
    void shouldTakeTheSlowestEndThatAHopLeadsToForTheWhole() {
        ComponentPlan fork = new ComponentPlan(Map.of("source", Set.of(), "fast", Set.of("source"), "slow", Set.of("source")));
        LatencyTable table = new LatencyTable(fork, List.of(new EndpointAnswer()
            .hop("serialize/source/1/source:default", 1_000)
            .hop("execute/fast/2/source:default", 1_000)
            .hop("execute/slow/3/source:default", 1_000)
            .hop("end-to-end/fast/2/source:default", 10_000)
            .hop("end-to-end/slow/3/source:default", 100_000).snapshot()), null);

        List<String> shares = table.lines().stream().filter(line -> line.contains("%"))
            .map(line -> line.replaceAll(".* {2,}(\\S+) %.*", "$1")).toList();

        assertEquals(List.of("1.0", "10.0", "1.0"), shares);
    }

    @Test
    void shouldShowDashesWhenEveryValueWasDropped() {
        LatencyTable table = table(new EndpointAnswer().unsureHop("network/__worker/-1/one:6700", 0, 12)
            .unsureHop("execute/sink/3/relay:default", 0, 0));

        assertEquals("""
            hop      way          count  p50  p90  p99  p99.9  max  share
            network  one:6700 ->      0    -    -    -      -    -
            """, text(table));
        assertEquals(12, table.dropped());
        assertFalse(table.isEmpty());
        assertFalse(table.hasUncertain());
    }

    @Test
    void shouldMarkWhatHasTooFewValuesForItsPercentiles() {
        LatencyTable table = table(new EndpointAnswer()
            .hop("execute/relay/2/source:default", LongStream.range(0, 999).map(i -> 10_000).toArray())
            .hop("execute/sink/3/relay:default", LongStream.range(0, 1_000).map(i -> 10_000).toArray()));

        assertEquals("""
            hop      way              count      p50      p90      p99    p99.9      max  share
            execute  source -> relay   999*  10.0 us  10.0 us  10.0 us  10.0 us  10.0 us
            execute  relay -> sink    1,000  10.0 us  10.0 us  10.0 us  10.0 us  10.0 us
            """, text(table));
        assertTrue(table.hasFew());
        assertFalse(table(new EndpointAnswer().hop("execute/sink/3/relay:default",
            LongStream.range(0, 1_000).map(i -> 10_000).toArray())).hasFew());
    }

    private static LatencyTable table(EndpointAnswer answer) {
        return new LatencyTable(CHAIN, List.of(answer.snapshot()), null);
    }

    private static String text(LatencyTable table) {
        return String.join("\n", table.lines()) + "\n";
    }
}
