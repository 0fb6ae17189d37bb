package io.eyewall.web.profile;

/**
 * A worker, where it runs.
 *
 * @param host as Nimbus names it
 * @param port its slot
 */
record Worker(String host, int port) implements Comparable<Worker> {

    @Override
    public int compareTo(Worker other) {
        int byHost = host.compareTo(other.host);
        return byHost != 0 ? byHost : Integer.compare(port, other.port);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
