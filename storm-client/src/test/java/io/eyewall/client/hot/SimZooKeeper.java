package io.eyewall.client.hot;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.callback.ZKStateChangedCallback;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.generated.Assignment;
import org.apache.storm.shade.org.apache.zookeeper.Watcher;

/**
 * A ZooKeeper as its clients see it. Writes are in one order. A client reads any state that is not older than what it has read or written,
 * within a bound. Watches fire once, late. A session ends with its ephemeral nodes when its client was not heard of for the session
 * timeout; the client gets another one when it comes back.
 */
final class SimZooKeeper {

    static final long SESSION_NS = 20 * SimSchedule.SECOND;

    private static final int LAG_AT_MOST = 4;
    private static final long WATCH_AT_MOST_NS = 20 * SimSchedule.MS;

    /** What the nodes were after each write. */
    private record Version(Map<String, byte[]> nodes, Assignment assignment, String written) {
    }

    private final SimSchedule schedule;
    private final Random random;
    private final List<Version> versions = new ArrayList<>(List.of(new Version(Map.of(), null, "nothing")));
    private final List<Client> clients = new ArrayList<>();
    private long stalledUntilNs;

    SimZooKeeper(SimSchedule schedule, Random random) {
        this.schedule = schedule;
        this.random = random;
    }

    /** The client of a process. */
    Client connect(SimSchedule.SimProcess process) {
        Client client = new Client(process);
        clients.add(client);
        return client;
    }

    /** Serves nobody for a while, and counts no time of a session meanwhile. */
    void stall(long forNs) {
        stalledUntilNs = Math.max(stalledUntilNs, schedule.nowNs() + forNs);
        clients.forEach(client -> client.heardAtNs = Math.max(client.heardAtNs, stalledUntilNs));
    }

    /** Nimbus writes an assignment. */
    void assign(Assignment assignment) {
        write(new Version(latest().nodes, assignment, "assignment"));
    }

    Assignment assignment() {
        return latest().assignment;
    }

    /** Ends the sessions of clients that were not heard of. */
    void expire() {
        for (Client client : List.copyOf(clients)) {
            long silentUntilNs = Math.max(client.process.pausedUntilNs(), client.cutOffUntilNs);
            if (!client.process.isDead() && silentUntilNs <= schedule.nowNs()) {
                client.heardAtNs = Math.max(client.heardAtNs, schedule.nowNs());
            } else if (schedule.nowNs() - client.heardAtNs > SESSION_NS) {
                for (String path : client.ephemeral) {
                    Map<String, byte[]> nodes = new TreeMap<>(latest().nodes);
                    nodes.remove(path);
                    write(new Version(nodes, latest().assignment, path));
                }
                client.ephemeral.clear();
                if (client.process.isDead()) {
                    clients.remove(client);
                }
            }
        }
    }

    private Version latest() {
        return versions.get(versions.size() - 1);
    }

    private void write(Version version) {
        versions.add(version);
        clients.forEach(client -> client.fire(version));
    }

    /** The session of one process, and what it has seen. */
    final class Client {
        private final SimSchedule.SimProcess process;
        private final Set<String> ephemeral = new HashSet<>();
        private final Map<String, Runnable> watches = new HashMap<>();
        private ZKStateChangedCallback callback;
        private int seen;
        private long heardAtNs;
        private long cutOffUntilNs;

        Client(SimSchedule.SimProcess process) {
            this.process = process;
            heardAtNs = schedule.nowNs();
        }

        /** The process does not reach ZooKeeper for a while. */
        void cutOff(long forNs) {
            cutOffUntilNs = Math.max(cutOffUntilNs, schedule.nowNs() + forNs);
        }

        Assignment readAssignment(Runnable changed) {
            Version version = read();
            watch("assignment", changed);
            return version.assignment;
        }

        IStateStorage storage() {
            return (IStateStorage) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {IStateStorage.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "register" -> {
                        callback = (ZKStateChangedCallback) arguments[0];
                        yield "registration";
                    }
                    case "get_children" -> children((String) arguments[0]);
                    case "get_data" -> data((String) arguments[0]);
                    case "set_ephemeral_node" -> {
                        put((String) arguments[0], (byte[]) arguments[1]);
                        yield null;
                    }
                    case "delete_node" -> {
                        put((String) arguments[0], null);
                        yield null;
                    }
                    case "mkdirs", "unregister" -> null;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
        }

        private List<String> children(String root) {
            Version version = read();
            watch(root, () -> callback.changed(Watcher.Event.EventType.NodeChildrenChanged, root));
            return version.nodes.keySet().stream().map(path -> path.substring(root.length() + 1)).toList();
        }

        private byte[] data(String path) {
            Version version = read();
            watch(path, () -> callback.changed(Watcher.Event.EventType.NodeDataChanged, path));
            return version.nodes.get(path);
        }

        private void put(String path, byte[] data) {
            reach();
            Map<String, byte[]> nodes = new TreeMap<>(latest().nodes);
            if (data == null) {
                nodes.remove(path);
                clients.forEach(client -> client.ephemeral.remove(path));
            } else {
                nodes.put(path, data);
                ephemeral.add(path);
            }
            write(new Version(nodes, latest().assignment, path));
            seen = versions.size() - 1;
        }

        private Version read() {
            reach();
            int last = versions.size() - 1;
            int first = Math.max(seen, last - LAG_AT_MOST);
            seen = first + random.nextInt(last - first + 1);
            return versions.get(seen);
        }

        /** Whether ZooKeeper serves nobody. */
        boolean isStalled() {
            return schedule.nowNs() < stalledUntilNs;
        }

        private void reach() {
            if (schedule.nowNs() < cutOffUntilNs || isStalled()) {
                throw new IllegalStateException("ZooKeeper cannot be reached");
            }
        }

        /** Sets a watch; it has to fire, too, for what was written after the state that this client has read. */
        private void watch(String path, Runnable callback) {
            watches.put(path, callback);
            versions.subList(seen + 1, versions.size()).forEach(this::fire);
        }

        private void fire(Version version) {
            int slash = version.written.lastIndexOf('/');
            fire(watches.remove(version.written));
            fire(slash > 0 ? watches.remove(version.written.substring(0, slash)) : null);
        }

        private void fire(Runnable watch) {
            if (watch != null) {
                // A client hears of a change before it reads anything newer, except for the thread by which it hears it.
                schedule.later(process, random.nextInt((int) WATCH_AT_MOST_NS), watch);
            }
        }
    }
}
