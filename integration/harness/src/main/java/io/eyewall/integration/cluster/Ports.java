package io.eyewall.integration.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands out TCP ports of this machine on which nothing listens, each one once per JVM. Thread safe.
 *
 * <p>A cluster knows the ports of its workers long before they listen. A port from the range of outgoing connections, which is what
 * binding to port 0 returns, may be taken by then. So these come from below that range, and each process begins at another place.
 */
public final class Ports {

    private static final int FIRST = 12_000;
    private static final int LAST = 32_000;
    private static final AtomicInteger NEXT = new AtomicInteger((int) (ProcessHandle.current().pid() * 127 % (LAST - FIRST)));

    private Ports() {
    }

    /** A free port. */
    public static int free() {
        for (int tried = 0; tried < LAST - FIRST; tried++) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), LAST - FIRST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new ClusterException("No free TCP port from " + FIRST + " to " + LAST + ": stop what listens on them.");
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
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("localhost", port), 1_000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException inUse) {
            return false;
        }
    }
}
