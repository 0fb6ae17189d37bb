package io.eyewall.integration.system;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Topologies that come to their end by themselves: what they write is all that counts. */
final class TopologyBehaviours {

    private TopologyBehaviours() {
    }

    static Map<String, List<String>> acking(DropInCluster cluster) {
        cluster.submit("acking");
        cluster.awaitAcks("acking", 100);
        return endAndSort(cluster, "acking");
    }

    static Map<String, List<String>> ticks(DropInCluster cluster) {
        cluster.submit("ticks");
        cluster.awaitAcks("ticks", 10);
        cluster.awaitLines("ticks", "ticked", 13);
        return endAndSort(cluster, "ticks");
    }

    /** Which task gets what is left to chance by two of the groupings: of these, what all tasks got together. */
    static Map<String, List<String>> groupings(DropInCluster cluster) {
        cluster.submit("groupings");
        cluster.awaitAcks("groupings", 400);
        cluster.awaitLines("groupings", "direct", 400);
        return together(endAndSort(cluster, "groupings"), "none", "shuffle");
    }

    static Map<String, List<String>> libraries(DropInCluster cluster) {
        cluster.submit("libraries");
        cluster.awaitAcks("libraries", 1);
        return endAndSort(cluster, "libraries");
    }

    static Map<String, List<String>> local(DropInCluster cluster) {
        cluster.submit("local");
        cluster.awaitLines("local", "local", 200); // Of both spouts: one may be done before the other's worker has started.
        return together(endAndSort(cluster, "local"), "local");
    }

    static Map<String, List<String>> sizes(DropInCluster cluster) {
        cluster.submit("sizes");
        cluster.awaitAcks("sizes", 18);
        return endAndSort(cluster, "sizes");
    }

    /** When a tuple leaves a window, and so is acked, depends on the clock. */
    static Map<String, List<String>> windows(DropInCluster cluster) {
        cluster.submit("windows");
        cluster.awaitLines("windows", "sliding", 20);
        cluster.awaitLines("windows", "tumbling", 10);
        Map<String, List<String>> outcome = endAndSort(cluster, "windows");
        outcome.keySet().removeIf(name -> name.startsWith("numbers"));
        return outcome;
    }

    static Map<String, List<String>> python(DropInCluster cluster) {
        cluster.submit("python");
        cluster.awaitAcks("python", 50);
        return endAndSort(cluster, "python");
    }

    static Map<String, List<String>> flux(DropInCluster cluster) {
        cluster.submit("org.apache.storm.flux.Flux", "--remote", "--resource", "/flux.yaml");
        cluster.awaitAcks("flux", 20);
        return endAndSort(cluster, "flux");
    }

    /** The spout's hook hears of an ack after the spout does. */
    static Map<String, List<String>> hooks(DropInCluster cluster) {
        cluster.submit("hooks");
        cluster.awaitAcks("hooks", 20);
        cluster.awaitLines("hooks", "automatic-hook-numbers", 42);
        return endAndSort(cluster, "hooks");
    }

    /** Counts words and answers calls. */
    static Map<String, List<String>> trident(DropInCluster cluster) {
        cluster.submit("trident");
        cluster.awaitLines("trident", "counts", 17);
        String sum = cluster.call("words", "storm eye unknown");
        Map<String, List<String>> outcome = endAndSort(cluster, "trident");
        outcome.put("sum", List.of(sum));
        return outcome;
    }

    static Map<String, List<String>> drpc(DropInCluster cluster) {
        cluster.submit("drpc");
        List<String> answers = List.of(cluster.call("exclaim", "storm"), cluster.call("exclaim", "eye"));
        cluster.end("drpc");
        return Map.of("answers", answers);
    }

    private static Map<String, List<String>> endAndSort(DropInCluster cluster, String topology) {
        cluster.end(topology);
        return Lines.sortedByFile(cluster.output(topology), "");
    }

    /** Puts the lines of all tasks of each of these components together. */
    private static Map<String, List<String>> together(Map<String, List<String>> outcome, String... components) {
        for (String component : components) {
            Map<String, List<String>> tasks = new TreeMap<>(outcome);
            tasks.keySet().removeIf(name -> !name.startsWith(component + "-"));
            outcome.keySet().removeAll(tasks.keySet());
            outcome.put(component, tasks.values().stream().flatMap(List::stream).sorted().toList());
        }
        return outcome;
    }
}
