package io.eyewall.core.watch;

/**
 * The address of a worker, in the order of hosts and ports.
 *
 * @param host its host, as Storm knows it
 * @param port its slot's port
 */
public record WorkerAddress(String host, int port) implements Comparable<WorkerAddress> {

    @Override
    public int compareTo(WorkerAddress other) {
        int byHost = host.compareTo(other.host);
        return byHost != 0 ? byHost : Integer.compare(port, other.port);
    }

    @Override
    public String toString() {
        return host + ':' + port;
    }
}
