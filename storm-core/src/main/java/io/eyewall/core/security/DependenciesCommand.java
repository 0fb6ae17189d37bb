package io.eyewall.core.security;

import io.eyewall.core.report.CommandArguments;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AccessControlType;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.IllegalStateException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.ListBlobsResult;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code storm blobstore dependencies [--remove]}: what topologies have brought with them, whose it is, who uses it, and whether others
 * could have known its key (CVE-2026-82428). For one thread.
 */
public final class DependenciesCommand {

    private static final Logger LOG = LoggerFactory.getLogger(DependenciesCommand.class);
    private static final String NAME = "storm blobstore dependencies: ";
    private static final String DELETE = "--remove";

    private final Nimbus.Iface nimbus;
    private final PrintStream out;
    private final PrintStream err;

    DependenciesCommand(Nimbus.Iface nimbus, PrintStream out, PrintStream err) {
        this.nimbus = nimbus;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the command. The exit code is 0, 1 if something could not be found out or deleted, or 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached
     */
    public static void main(String[] args) throws Exception {
        int exitCode;
        try (NimbusClient client = NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            exitCode = new DependenciesCommand(client.getClient(), System.out, System.err).run(args);
        }
        System.exit(exitCode);
    }

    int run(String... args) throws TException {
        CommandArguments arguments;
        try {
            arguments = new CommandArguments(args, Map.of(DELETE, 0));
            if (!arguments.words().isEmpty()) {
                throw new IllegalArgumentException("no names are expected, such as " + arguments.words().get(0));
            }
        } catch (IllegalArgumentException e) {
            err.println(NAME + e.getMessage());
            return 2;
        }
        Map<String, List<String>> topologiesByKey;
        try {
            topologiesByKey = topologiesByKey();
        } catch (AuthorizationException e) {
            err.println(NAME + "you may not read every topology, so it is not known which topologies use what (" + e.get_msg()
                + "). Ask as one of nimbus.admins.");
            return 1;
        }
        List<String> orphans = list(topologiesByKey);
        return arguments.has(DELETE) ? delete(orphans) : 0;
    }

    /** The names of the topologies that depend on a blob. */
    private Map<String, List<String>> topologiesByKey() throws TException {
        Map<String, List<String>> topologies = new TreeMap<>();
        for (TopologySummary topology : nimbus.getClusterInfo().get_topologies()) {
            try {
                for (String key : new TreeSet<>(DependencyBlobs.keys(nimbus.getUserTopology(topology.get_id())))) {
                    topologies.computeIfAbsent(key, any -> new ArrayList<>()).add(topology.get_name());
                }
            } catch (NotAliveException e) {
                LOG.debug("The topology {} has ended meanwhile.", topology.get_name());
            }
        }
        return topologies;
    }

    /** Prints the table, and returns what no topology depends on. */
    private List<String> list(Map<String, List<String>> topologiesByKey) throws TException {
        List<String> dependencies = dependencies();
        if (dependencies.isEmpty()) {
            out.println("There are no dependencies in the blob store.");
            return List.of();
        }
        List<String> orphans = new ArrayList<>();
        int predictable = 0;
        int width = dependencies.stream().mapToInt(String::length).max().getAsInt();
        String line = "%-" + width + "s  %-11s  %-20s  %s%n";
        out.printf(line, "blob", "key", "owner", "topologies");
        for (String key : dependencies) {
            List<String> topologies = topologiesByKey.getOrDefault(key, List.of());
            if (topologies.isEmpty()) {
                orphans.add(key);
            }
            if (!DependencyBlobs.isUnique(key)) {
                predictable++;
            }
            out.printf(line, key, DependencyBlobs.isUnique(key) ? "random" : "predictable", owner(key),
                topologies.isEmpty() ? "none" : String.join(", ", topologies));
        }
        out.println(dependencies.size() + " dependencies: " + orphans.size() + " of no topology, " + predictable
            + " with a key that others could have known");
        return orphans;
    }

    private List<String> dependencies() throws TException {
        TreeSet<String> keys = new TreeSet<>();
        ListBlobsResult page = nimbus.listBlobs("");
        while (page.get_keys_size() > 0) {
            page.get_keys().stream().filter(DependencyBlobs::isDependency).forEach(keys::add);
            page = nimbus.listBlobs(page.get_session());
        }
        return List.copyOf(keys);
    }

    private String owner(String key) throws TException {
        try {
            return nimbus.getBlobMeta(key).get_settable().get_acl().stream()
                .filter(one -> (one.get_access() & BlobStoreAclHandler.ADMIN) != 0).map(DependenciesCommand::name).distinct().sorted()
                .collect(Collectors.collectingAndThen(Collectors.joining(", "), names -> names.isEmpty() ? "nobody" : names));
        } catch (AuthorizationException | KeyNotFoundException e) {
            return "unknown";
        }
    }

    private static String name(AccessControl permission) {
        return permission.get_type() == AccessControlType.OTHER ? "everybody" : permission.get_name();
    }

    private int delete(List<String> orphans) throws TException {
        int exitCode = 0;
        for (String key : orphans) {
            try {
                nimbus.deleteBlob(key);
                out.println("deleted " + key);
            } catch (KeyNotFoundException e) {
                out.println("already gone: " + key);
            } catch (AuthorizationException e) {
                err.println(NAME + key + " was not deleted: " + e.get_msg());
                exitCode = 1;
            } catch (IllegalStateException e) {
                err.println(NAME + key + " was not deleted: " + e.get_msg());
                exitCode = 1;
            }
        }
        return exitCode;
    }
}
