package io.eyewall.tail.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ComponentPlanTest {

    private final ComponentPlan diamond = new ComponentPlan(Map.of(
        "source", Set.of(), "left", Set.of("source"), "right", Set.of("source"), "far", Set.of("right"), "join", Set.of("left", "far")));

    @Test
    void shouldOrderComponentsByTheLongestWayFromTheSpouts() {
        assertEquals(List.of("source", "left", "right", "far", "join"), diamond.components());
        assertEquals(3, diamond.depth("join"));
    }

    @Test
    void shouldReachWhatTuplesLeadTo() {
        assertEquals(Set.of("right", "far", "join"), diamond.reachable("right"));
        assertEquals(Set.of("join"), diamond.reachable("join"));
    }

    @Test
    void shouldEndWhenTuplesGoInCircles() {
        ComponentPlan circle = new ComponentPlan(Map.of("source", Set.of(), "a", Set.of("source", "b"), "b", Set.of("a")));

        assertEquals("source", circle.components().get(0));
        assertEquals(Set.of("a", "b"), circle.reachable("b"));
    }

    @Test
    void shouldPutWhatItDoesNotKnowLast() {
        assertFalse(diamond.contains("__acker"));
        assertTrue(diamond.depth("__acker") > diamond.depth("join"));
        assertEquals(Set.of("__acker"), diamond.reachable("__acker"));
    }
}
