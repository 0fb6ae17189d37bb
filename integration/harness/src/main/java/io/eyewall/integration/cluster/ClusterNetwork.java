package io.eyewall.integration.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The hosts of a cluster: network namespaces, each with an address, joined by a bridge on which this machine has an address too.
 * {@link Hosts} says whether they also have clocks and CPU limits of their own. Not thread safe, except {@link #close()}.
 *
 * <p>The addresses are from 198.18.0.0/15, which RFC 2544 keeps for such tests, so that no real network is hidden. The name of the bridge
 * contains the subnet, 198.x.y.0/24, and the kernel refuses a second bridge of the same name: so clusters that start at the same time
 * cannot take the same subnet.
 */
public final class ClusterNetwork implements AutoCloseable {

    private static final int FIRST_SUBNET = 18 << 8;
    private static final int LAST_SUBNET = (20 << 8) - 1;
    private static final int MAX_HOSTS = 200;
    /** How far the monotonic clock of each host is ahead of that of the host before it: more than any latency. */
    private static final int CLOCKS_APART_SECS = 1000;

    private final String subnet;
    private final String bridge;
    private final List<String> namespaces = new ArrayList<>();
    /** Files that hold the hosts' time namespaces; empty where the kernel has no time namespaces. */
    private final List<Path> clocks = new ArrayList<>();
    /** The CPU limit of each host; empty if they have none. */
    private final List<CpuLimit> limits = new ArrayList<>();

    private ClusterNetwork(String subnet, String bridge) {
        this.subnet = subnet;
        this.bridge = bridge;
    }

    /** Why this machine cannot have network namespaces, or empty if it can. */
    public static Optional<String> unavailabilityCause() {
        if (Files.notExists(Path.of("/proc/self/ns/net"))) {
            return Optional.of("this kernel has no network namespaces");
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            return Optional.of("network namespaces need root, and this is user " + System.getProperty("user.name"));
        }
        Outcome outcome = run("ip", "netns", "list");
        return outcome.succeeded() ? Optional.empty() : Optional.of("ip netns list says: " + outcome.output());
    }

    /** Why this machine's hosts cannot have their connections redirected, or empty if they can. */
    public static Optional<String> redirectionUnavailabilityCause() {
        return unavailabilityCause().or(() -> {
            Outcome outcome = run("nft", "--version");
            return outcome.succeeded() ? Optional.empty() : Optional.of("redirecting connections needs nftables: " + outcome.output());
        });
    }

    /**
     * Makes {@code number} hosts. Throws {@link ClusterException} with the cause if this machine cannot; then nothing is left behind.
     */
    static ClusterNetwork withHosts(int number, Hosts hosts) {
        unavailabilityCause().ifPresent(cause -> {
            throw new ClusterException("Supervisors cannot have hosts of their own: " + cause + ". Run as root, with iproute2 installed.");
        });
        if (number > MAX_HOSTS) {
            throw new IllegalArgumentException("At most " + MAX_HOSTS + " hosts, not " + number + ".");
        }
        ClusterNetwork network = claim();
        try {
            network.ip("address", "add", network.address(0) + "/24", "dev", network.bridge);
            network.ip("link", "set", network.bridge, "up");
            for (int host = 1; host <= number; host++) {
                network.addHost(host);
            }
            if (hosts.clocksApart()) {
                network.addClocks();
            }
            if (hosts.cores() > 0) {
                network.addLimits(hosts.cores());
            }
            return network;
        } catch (RuntimeException e) {
            network.close();
            throw e;
        }
    }

    /** The address of a host, counted from 1; 0 is this machine. */
    public String address(int host) {
        return subnet + "." + (host + 1);
    }

    /** The words in front of a command line that make it run on a host, counted from 1; none for 0, this machine. */
    public List<String> commandPrefix(int host) {
        if (host == 0) {
            return List.of();
        }
        List<String> prefix = new ArrayList<>(limits.isEmpty() ? List.of() : limits.get(host - 1).commandPrefix());
        prefix.addAll(List.of("ip", "netns", "exec", namespaces.get(host - 1)));
        if (!clocks.isEmpty()) {
            prefix.addAll(List.of("nsenter", "--time=" + clocks.get(host - 1)));
        }
        return prefix;
    }

    /** Takes a host, counted from 1, off the network, or puts it back. */
    public void setConnected(int host, boolean connected) {
        ip("link", "set", link(host), connected ? "up" : "down");
    }

    /**
     * Redirects the TCP connections that one host opens from now on to a port of another host: they go to a port of this machine, and the
     * hosts, which are counted from 1, do not notice.
     */
    void redirect(int fromHost, int toHost, int toPort, int portHere) {
        String namespace = namespaces.get(fromHost - 1);
        runOn(namespace, "nft", "add", "table", "ip", "redirection");
        runOn(namespace, "nft", "add", "chain", "ip", "redirection", "out", "{ type nat hook output priority -100 ; }");
        runOn(namespace, "nft", "add", "rule", "ip", "redirection", "out", "ip", "daddr", address(toHost), "tcp", "dport",
            Integer.toString(toPort), "dnat", "to", address(0) + ":" + portHere);
    }

    /** Removes hosts and bridge. Processes on the hosts must be gone. */
    @Override
    public synchronized void close() {
        for (int host = 1; host <= namespaces.size(); host++) {
            // The kernel removes the namespace later; without its cable it is off the network at once.
            run("ip", "link", "delete", link(host));
            run("ip", "netns", "delete", namespaces.get(host - 1));
        }
        namespaces.clear();
        run("ip", "link", "delete", bridge);
        for (Path clock : clocks) {
            run("umount", clock.toString());
            clock.toFile().delete();
        }
        clocks.clear();
        limits.forEach(CpuLimit::close);
        limits.clear();
    }

    private static ClusterNetwork claim() {
        int number = LAST_SUBNET - FIRST_SUBNET + 1;
        int start = (int) (ProcessHandle.current().pid() % number);
        for (int tried = 0; tried < number; tried++) {
            int subnet = FIRST_SUBNET + (start + tried) % number;
            int second = subnet >> 8;
            int third = subnet & 0xff;
            String bridge = "ewb-" + second + "-" + third;
            if (run("ip", "link", "add", bridge, "type", "bridge").succeeded()) {
                return new ClusterNetwork("198." + second + "." + third, bridge);
            }
        }
        throw new ClusterException("No network bridge can be added: " + run("ip", "link", "add", "ewb-test", "type", "bridge").output());
    }

    private void addHost(int host) {
        String namespace = bridge + "-" + host;
        ip("netns", "add", namespace);
        namespaces.add(namespace);
        ip("link", "add", link(host), "type", "veth", "peer", "name", "eth0", "netns", namespace);
        ip("link", "set", link(host), "master", bridge);
        ip("link", "set", link(host), "up");
        ip("-n", namespace, "address", "add", address(host) + "/24", "dev", "eth0");
        ip("-n", namespace, "link", "set", "lo", "up");
        ip("-n", namespace, "link", "set", "eth0", "up");
    }

    /** Gives all hosts clocks of their own; does nothing if the kernel cannot. */
    private void addClocks() {
        if (!run("unshare", "--time", "--monotonic", "1", "true").succeeded()) {
            return;
        }
        for (int host = 1; host <= namespaces.size(); host++) {
            try {
                Path clock = Files.createTempFile(bridge, ".time");
                clocks.add(clock);
                command("unshare", "--time=" + clock, "--monotonic", Integer.toString(host * CLOCKS_APART_SECS), "true");
            } catch (IOException e) {
                throw new ClusterException("Cannot make a file for the clock of host " + host + ": " + e.getMessage(), e);
            }
        }
    }

    private void addLimits(double cores) {
        for (int host = 1; host <= namespaces.size(); host++) {
            limits.add(CpuLimit.of(namespaces.get(host - 1), cores));
        }
    }

    /** This machine's end of the cable to the host. Linux allows 15 characters. */
    private String link(int host) {
        return bridge.replace("ewb-", "ew-") + "-" + host;
    }

    private void runOn(String namespace, String... command) {
        List<String> arguments = new ArrayList<>(List.of("netns", "exec", namespace));
        arguments.addAll(List.of(command));
        ip(arguments.toArray(new String[0]));
    }

    private void ip(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        command(command.toArray(new String[0]));
    }

    private static void command(String... words) {
        Outcome outcome = run(words);
        if (!outcome.succeeded()) {
            throw new ClusterException(String.join(" ", words) + " failed: " + outcome.output());
        }
    }

    private static Outcome run(String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Outcome(false, "no answer within 30 s");
            }
            return new Outcome(process.exitValue() == 0, output);
        } catch (IOException e) {
            return new Outcome(false, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome(false, "interrupted");
        }
    }

    private record Outcome(boolean succeeded, String output) {
    }
}
