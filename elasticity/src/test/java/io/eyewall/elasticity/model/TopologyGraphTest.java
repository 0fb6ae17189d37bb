package io.eyewall.elasticity.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyGraphTest {

    @Test
    void shouldNumberOperatorsInTopologicalOrderWhateverTheOrderOfTheLinks() {
        TopologyGraph graph = graph("d>e", "b>d", "a>b", "a>d", "c>d");

        assertEquals(List.of("a", "c", "b", "d", "e"), names(graph));
        assertFalse(graph.isCyclic());
    }

    @Test
    void shouldStartNearASourceWhenOperatorsFormACycle() {
        TopologyGraph graph = graph("s>y", "y>x", "x>y", "x>t");

        assertEquals(List.of("s", "y", "x", "t"), names(graph));
        assertTrue(graph.isCyclic());
    }

    @Test
    void shouldIgnoreTheLinkWhenAnOperatorFeedsItself() {
        TopologyGraph graph = graph("s>t", "t>t");

        assertTrue(graph.isCyclic());
        assertTrue(graph.isSink(graph.indexOf("t")));
        assertEquals(1, graph.parents(graph.indexOf("t")).length);
    }

    @Test
    void shouldMeasureDistancesWhenPathsHaveDifferentLengths() {
        TopologyGraph graph = graph("a>b", "b>c", "a>c", "c>d");

        assertEquals(List.of(0, 1, 1, 2), inOrder(graph, graph.distancesFromSources()));
        assertEquals(List.of(2, 2, 1, 0), inOrder(graph, graph.distancesToSinks()));
        assertEquals(3, graph.descendantCount(graph.indexOf("a")));
        assertEquals(0, graph.descendantCount(graph.indexOf("d")));
    }

    @Test
    void shouldFindTheComponentWhenGivenAnExecutor() {
        TopologyGraph graph = new TopologyGraph("t", List.of(new Component("__acker", 1, 1), new Component("a", 2, 5)), List.of());

        assertEquals("a", graph.componentOf(new ExecutorId("t", 3, 5)).id());
        assertEquals(-1, graph.indexOf("__acker"));
        assertThrows(IllegalArgumentException.class, () -> graph.componentOf(new ExecutorId("t", 1, 2)));
        assertThrows(IllegalArgumentException.class, () -> graph.componentOf(new ExecutorId("t", 5, 6)));
        assertThrows(IllegalArgumentException.class, () -> graph.componentOf(new ExecutorId("u", 2, 2)));
    }

    @Test
    void shouldRefuseInconsistentParts() {
        assertThrows(IllegalArgumentException.class,
            () -> new TopologyGraph("t", List.of(new Component("a", 1, 2), new Component("b", 2, 3)), List.of()));
        assertThrows(IllegalArgumentException.class,
            () -> new TopologyGraph("t", List.of(new Component("a", 1, 2), new Component("a", 3, 3)), List.of()));
        assertThrows(IllegalArgumentException.class,
            () -> new TopologyGraph("t", List.of(new Component("a", 1, 2)), List.of(new Link("a", "default", "b", 1))));
    }

    private static TopologyGraph graph(String... links) {
        List<String> ids = Arrays.stream(links).flatMap(link -> Arrays.stream(link.split(">", 2))).distinct().toList();
        List<Component> components = ids.stream().map(id -> new Component(id, ids.indexOf(id), ids.indexOf(id))).toList();
        return new TopologyGraph("t", components, Arrays.stream(links)
            .map(link -> new Link(link.split(">", 2)[0], "default", link.split(">", 2)[1], 1)).toList());
    }

    private static List<String> names(TopologyGraph graph) {
        return graph.operators().stream().map(Component::id).toList();
    }

    private static List<Integer> inOrder(TopologyGraph graph, int[] values) {
        return graph.operators().stream().map(Component::id).sorted().map(id -> values[graph.indexOf(id)]).toList();
    }
}
