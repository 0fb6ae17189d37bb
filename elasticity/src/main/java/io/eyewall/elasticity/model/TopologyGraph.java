package io.eyewall.elasticity.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The shape of a topology: its components, and its operators (the components that are not Storm's own) with the links between them.
 * Immutable.
 *
 * <p>Operators have an index each, in topological order: without cycles, every operator has a higher index than its parents. Ties are
 * broken by this order everywhere. Operators at the same depth are sorted by name, so the indexes do not depend on the order of the
 * components and links that are passed in.
 *
 * <p>A <em>source</em> is an operator without parents, a <em>sink</em> one without children; a link from an operator to itself is ignored
 * in both. Cycles are allowed.
 */
public final class TopologyGraph {

    private final String id;
    private final List<Component> components;
    private final NavigableMap<Integer, Component> componentsByFirstTask = new TreeMap<>();
    private final List<Component> operators;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final List<Link> links;
    private final int[][] children;
    private final int[][] parents;
    private final boolean cyclic;

    /**
     * Makes the graph.
     *
     * @param id the topology's id
     * @param components all its components, including Storm's own
     * @param links the links between its operators
     * @throws IllegalArgumentException if two components have the same id or share a task, or if a link names an unknown operator
     */
    public TopologyGraph(String id, List<Component> components, List<Link> links) {
        this.id = id;
        this.components = components.stream().sorted(Comparator.comparing(Component::id)).toList();
        this.links = links.stream().sorted().distinct().toList();
        List<Component> named = this.components.stream().filter(component -> !component.isSystem()).toList();
        checkComponents();
        indexOperators(named);
        checkLinks();
        int[] order = topologicalOrder(neighbours(true), neighbours(false));
        this.operators = Arrays.stream(order).mapToObj(named::get).toList();
        indexOperators(operators);
        this.children = neighbours(true);
        this.parents = neighbours(false);
        this.cyclic = hasUpwardLink();
    }

    /** The topology's id. */
    public String id() {
        return id;
    }

    /** All components, sorted by id. */
    public List<Component> components() {
        return components;
    }

    /** The operators, in the order of their indexes. */
    public List<Component> operators() {
        return operators;
    }

    /** The links, sorted. */
    public List<Link> links() {
        return links;
    }

    /**
     * The component whose tasks an executor runs.
     *
     * @throws IllegalArgumentException if no component has all of its tasks
     */
    public Component componentOf(ExecutorId executor) {
        Map.Entry<Integer, Component> entry = componentsByFirstTask.floorEntry(executor.firstTask());
        if (entry == null || executor.lastTask() > entry.getValue().lastTask() || !executor.topologyId().equals(id)) {
            throw new IllegalArgumentException("No component of topology " + id + " has the tasks of executor " + executor);
        }
        return entry.getValue();
    }

    /** The number of operators. */
    public int size() {
        return operators.size();
    }

    /** The index of an operator, or -1 for any other component. */
    public int indexOf(String componentId) {
        return indexes.getOrDefault(componentId, -1);
    }

    /** Whether a path leads from some operator back to itself. */
    public boolean isCyclic() {
        return cyclic;
    }

    /** The indexes of an operator's children, without the operator itself, ascending. */
    public int[] children(int operator) {
        return children[operator];
    }

    /** The indexes of an operator's parents, without the operator itself, ascending. */
    public int[] parents(int operator) {
        return parents[operator];
    }

    /** For each operator the number of links from the nearest source to it, {@link Integer#MAX_VALUE} if no source reaches it. */
    public int[] distancesFromSources() {
        return distances(endsOf(parents), children);
    }

    /** For each operator the number of links from it to the nearest sink, {@link Integer#MAX_VALUE} if it reaches none. */
    public int[] distancesToSinks() {
        return distances(endsOf(children), parents);
    }

    /** How many other operators can be reached from an operator. */
    public int descendantCount(int operator) {
        int[] distance = distances(new int[] {operator}, children);
        return (int) Arrays.stream(distance).filter(links -> links != Integer.MAX_VALUE).count() - 1;
    }

    /** Whether an operator has no parents except itself. */
    public boolean isSource(int operator) {
        return parents[operator].length == 0;
    }

    /** Whether an operator has no children except itself. */
    public boolean isSink(int operator) {
        return children[operator].length == 0;
    }

    private void checkComponents() {
        for (Component component : components) {
            Component other = componentsByFirstTask.put(component.firstTask(), component);
            if (other != null) {
                throw new IllegalArgumentException("Topology " + id + ": components " + other.id() + " and " + component.id()
                    + " both have task " + component.firstTask());
            }
        }
        Component before = null;
        for (Component component : componentsByFirstTask.values()) {
            if (before != null && before.lastTask() >= component.firstTask()) {
                throw new IllegalArgumentException("Topology " + id + ": components " + before.id() + " and " + component.id()
                    + " both have task " + component.firstTask());
            }
            before = component;
        }
    }

    private void checkLinks() {
        for (Link link : links) {
            for (String end : List.of(link.from(), link.to())) {
                if (indexOf(end) < 0) {
                    throw new IllegalArgumentException("Topology " + id + ": link " + link.from() + " -> " + link.to()
                        + " names " + end + ", which is not one of its operators");
                }
            }
        }
    }

    private void indexOperators(List<Component> ordered) {
        indexes.clear();
        for (Component operator : ordered) {
            if (indexes.put(operator.id(), indexes.size()) != null) {
                throw new IllegalArgumentException("Topology " + id + ": two components have the id " + operator.id());
            }
        }
    }

    private int[][] neighbours(boolean downward) {
        List<List<Integer>> lists = new ArrayList<>();
        for (int i = 0; i < indexes.size(); i++) {
            lists.add(new ArrayList<>());
        }
        for (Link link : links) {
            int from = indexOf(link.from());
            int to = indexOf(link.to());
            if (from != to) {
                lists.get(downward ? from : to).add(downward ? to : from);
            }
        }
        return lists.stream()
            .map(list -> list.stream().mapToInt(Integer::intValue).sorted().distinct().toArray())
            .toArray(int[][]::new);
    }

    /**
     * The topological order, by Kahn's algorithm: in each round the operators whose parents have all been taken; when only cycles are
     * left, the operator nearest to a source.
     */
    private static int[] topologicalOrder(int[][] children, int[][] parents) {
        int n = children.length;
        int[] waitingFor = Arrays.stream(parents).mapToInt(list -> list.length).toArray();
        int[] distance = distances(endsOf(parents), children);
        boolean[] done = new boolean[n];
        int[] order = new int[n];
        int size = 0;
        while (size < n) {
            int[] round = IntStream.range(0, n).filter(i -> !done[i] && waitingFor[i] == 0).toArray();
            if (round.length == 0) {
                round = IntStream.range(0, n).filter(i -> !done[i]).boxed().min(Comparator.comparingInt(i -> distance[i]))
                    .stream().mapToInt(Integer::intValue).toArray();
            }
            for (int operator : round) {
                done[operator] = true;
                order[size++] = operator;
                for (int child : children[operator]) {
                    waitingFor[child]--;
                }
            }
        }
        return order;
    }

    /** The operators without neighbours in one direction: the sources or the sinks. */
    private static int[] endsOf(int[][] neighbours) {
        return IntStream.range(0, neighbours.length).filter(i -> neighbours[i].length == 0).toArray();
    }

    private static int[] distances(int[] from, int[][] next) {
        int[] distance = new int[next.length];
        Arrays.fill(distance, Integer.MAX_VALUE);
        Deque<Integer> queue = new ArrayDeque<>();
        for (int start : from) {
            distance[start] = 0;
            queue.add(start);
        }
        while (!queue.isEmpty()) {
            int operator = queue.remove();
            for (int neighbour : next[operator]) {
                if (distance[neighbour] == Integer.MAX_VALUE) {
                    distance[neighbour] = distance[operator] + 1;
                    queue.add(neighbour);
                }
            }
        }
        return distance;
    }

    private boolean hasUpwardLink() {
        return links.stream().anyMatch(link -> indexOf(link.from()) >= indexOf(link.to()));
    }
}
