package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SloHistoryTest {

    @Test
    void shouldDistinguishTopologiesWithoutFiguresFromThoseWithoutAnSlo() {
        SloHistory.Point known = SloHistory.Point.of(1, List.of(row("a", OptionalDouble.of(2)), row("b", OptionalDouble.of(0.5))));
        SloHistory.Point unknown = SloHistory.Point.of(2, List.of(row("a", OptionalDouble.empty()), row("b", OptionalDouble.of(0))));

        assertEquals(new SloHistory.Point(1, new TreeMap<>(Map.of("a", 2.0, "b", 0.5)), new TreeSet<>()), known);
        assertEquals(new SloHistory.Point(2, new TreeMap<>(Map.of("b", 0.0)), new TreeSet<>(Set.of("a"))), unknown);
        assertEquals(List.of(known, unknown), SloHistory.points(SloHistory.pointBytes(List.of(known, unknown))));
        assertEquals("{\"time-ms\":1,\"utilities\":{\"a\":2.0,\"b\":0.5}}\n",
            new String(SloHistory.pointBytes(List.of(known)), StandardCharsets.UTF_8));
    }

    @Test
    void shouldDistinguishWhatAPlotHasToShow() {
        SloHistory.Point point = SloHistory.Point.of(1, List.of(row("a", OptionalDouble.of(2)), row("b", OptionalDouble.of(8))));
        SloHistory.Point near = SloHistory.Point.of(2, List.of(row("a", OptionalDouble.of(1.6)), row("b", OptionalDouble.of(8))));
        SloHistory.Point lower = SloHistory.Point.of(2, List.of(row("a", OptionalDouble.of(1.4)), row("b", OptionalDouble.of(8))));
        SloHistory.Point unknown = SloHistory.Point.of(2, List.of(row("a", OptionalDouble.empty()), row("b", OptionalDouble.of(10))));
        SloHistory.Point gone = SloHistory.Point.of(2, List.of(row("b", OptionalDouble.of(10))));

        assertFalse(near.differsFrom(point));
        assertTrue(lower.differsFrom(point));
        assertTrue(point.differsFrom(lower));
        assertTrue(unknown.differsFrom(point));
        assertTrue(gone.differsFrom(unknown));
    }

    private static SloReport.Row row(String topology, OptionalDouble utility) {
        return new SloReport.Row(topology, "", "", utility, 2, "", "", 0);
    }
}
