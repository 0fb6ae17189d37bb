package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PagingTest {

    private static final int ROWS = 10_000;

    @Test
    void shouldShowEveryRowOnceInOrder() throws Exception {
        List<Map<String, Object>> shuffled = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", "Topology " + i);
            row.put("capacity", String.valueOf(i / 1_000.0));
            row.put("lastError", i % 2 == 0 ? null : "e");
            shuffled.add(row);
        }
        Collections.shuffle(shuffled, new Random(11));
        Map<String, Object> whole = Map.of("rows", shuffled, "other", 7);

        List<String> seen = new ArrayList<>();
        for (int page = 1; page <= ROWS / 100 + 1; page++) {
            Map<String, Object> part = Paging.part(whole, "rows", Map.of("page", String.valueOf(page), "size", "100", "sort", "-capacity"));
            assertEquals(ROWS, part.get("total"));
            assertEquals(7, part.get("other"));
            names(part).forEach(seen::add);
        }

        assertEquals(ROWS, seen.size());
        assertEquals(List.of("Topology 9999", "Topology 0"), List.of(seen.get(0), seen.get(ROWS - 1)));
        assertEquals(List.of("Topology 4242"), names(Paging.part(whole, "rows", Map.of("filter", "GY 4242"))));
        assertEquals(List.of("Topology 0", "Topology 1"),
            names(Paging.part(whole, "rows", Map.of("sort", "name", "size", "2"))));
        assertEquals(20, names(Paging.part(whole, "rows", Map.of("sort", "lastError"))).size());
        assertEquals(List.of(), names(Paging.part(whole, "rows", Map.of("page", "1000000"))));
    }

    @Test
    void shouldNameWhatIsWrong() {
        Map<String, Object> whole = Map.of("rows", List.of(Map.of("name", "a")));
        assertEquals("page is '0'. Use a whole number from 1 to 1000000.", refused(whole, "page", "0"));
        assertEquals("size is '1001'. Use a whole number from 1 to 1000.", refused(whole, "size", "1001"));
        assertEquals("sort is '-nme'. Use one of name, with a - before it to begin with the last.", refused(whole, "sort", "-nme"));
    }

    @Test
    void shouldLeaveTheAnswerAsItIsUnlessAPartIsWanted() throws Exception {
        Map<String, Object> whole = Map.of("rows", List.of());
        Handler paged = Paging.of("rows", (nimbus, asked) -> whole);
        assertSame(whole, paged.handle(null, new Parameters(Map.of(), Map.of("window", "600"), "", null)));
        assertTrue(((Map<?, ?>) paged.handle(null, new Parameters(Map.of(), Map.of("size", "5"), "", null))).containsKey("total"));
    }

    private static String refused(Map<String, Object> whole, String name, String value) {
        return assertThrows(HttpException.class, () -> Paging.part(whole, "rows", Map.of(name, value))).getMessage();
    }

    private static List<String> names(Map<String, Object> part) {
        return ((List<?>) part.get("rows")).stream().map(row -> String.valueOf(((Map<?, ?>) row).get("name"))).toList();
    }
}
