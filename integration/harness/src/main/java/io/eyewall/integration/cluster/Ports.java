package io.eyewall.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Hands out TCP ports of this machine on which nothing listens, each one once per JVM. Thread safe.
 *
 * <p>A cluster knows the ports of its workers long before they listen. A port from the range of outgoing connections, which is what
 * binding to port 0 returns, may be taken by then. So these come from below that range. Each JVM has blocks of its own, which it claims by
 * listening on their last port. {@code storm dev-cluster} takes ports below these. Workers that serve their latencies listen 10,000 above
 * their own ports, where nobody else has any.
 */
public final class Ports {

    private static final int FIRST = 16_000;
    private static final int BLOCK = 500;
    private static final int BLOCKS = 12;
    private static final Ports OF_THIS_PROCESS = new Ports();

    /** Open as long as this process lives. */
    private final List<ServerSocket> claims = new ArrayList<>();
    private int next;
    private int end;

    private Ports() {
    }

    /** A free port. */
    public static int free() {
        return OF_THIS_PROCESS.nextFree();
    }

    /** Several free ports. */
    public static List<Integer> free(int number) {
        List<Integer> ports = new ArrayList<>(number);
        for (int i = 0; i < number; i++) {
            ports.add(free());
        }
        return ports;
    }

    /** Whether a process accepts connections on the port. */
    public static boolean listens(int port) {
        return listens("localhost", port);
    }

    /** The same for the port of an address. */
    static boolean listens(String address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 1_000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private synchronized int nextFree() {
        while (true) {
            if (next == end) {
                claimBlock();
            }
            int port = next++;
            Optional<ServerSocket> free = listen(port);
            if (free.isPresent()) {
                close(free.get());
                return port;
            }
        }
    }

    private void claimBlock() {
        for (int block = 0; block < BLOCKS; block++) {
            int first = FIRST + block * BLOCK;
            Optional<ServerSocket> claim = listen(first + BLOCK - 1);
            if (claim.isPresent()) {
                claims.add(claim.get());
                next = first;
                end = first + BLOCK - 1;
                return;
            }
        }
        throw new ClusterException("No free TCP ports from " + FIRST + " to " + (FIRST + BLOCKS * BLOCK)
            + ": other processes with clusters have claimed them. Wait until some of these have ended.");
    }

    private static Optional<ServerSocket> listen(int port) {
        try {
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(new InetSocketAddress(port));
                return Optional.of(socket);
            } catch (IOException inUse) {
                socket.close();
                return Optional.empty();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
