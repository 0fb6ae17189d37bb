package io.eyewall.integration.cluster;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A cluster as a client sees it that has settings of its own. Thread safe. */
record ClientsView(ProcessCluster cluster, Map<String, Object> client) implements RunningCluster {

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> all = new HashMap<>(cluster.settings());
        all.putAll(client);
        return all;
    }

    @Override
    public Path logs() {
        return cluster.logs();
    }

    @Override
    public Topologies topologies() {
        return cluster.topologiesWith(client);
    }

    @Override
    public List<WorkerProcess> workers() {
        return cluster.workers();
    }

    @Override
    public String submit(Submission submission) {
        return cluster.submitWith(client, submission);
    }

    @Override
    public void await(String what, Condition condition) {
        cluster.await(what, condition);
    }
}
