package io.eyewall.client.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KeyAlreadyExistsException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.shade.org.yaml.snakeyaml.error.MarkedYAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.NimbusLeaderNotFoundException;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * Explains an exception of a command in one line: what was wrong, where, and what to do. Pure, except that it calls its {@link Cluster}.
 *
 * <p>Upstream wraps exceptions: the informative one is often a cause of the one that was thrown. Thrift's generated exceptions keep their
 * text in {@code get_msg()}. So this class looks at the whole chain of causes.
 */
final class FailureExplainer {

    private static final int MAX_CAUSES = 20;
    private static final String RUNNING_TOPOLOGIES = " `storm list` shows those that are.";
    private static final String UNKNOWN_STREAM =
        " Storm knows a stream when tuples have gone through it: wait a minute, or name another with -s.";

    private final Cluster cluster;
    private final boolean userCode;

    /**
     * An explainer.
     *
     * @param userCode whether a topology's own code runs; exceptions of that code are not explained
     */
    FailureExplainer(Cluster cluster, boolean userCode) {
        this.cluster = cluster;
        this.userCode = userCode;
    }

    /** The explanation in one line; empty if the stack trace explains the failure better. */
    Optional<String> explain(Throwable failure) {
        List<Throwable> causes = causes(failure);
        Optional<String> known = first(causes, this::configurationFile)
            .or(() -> first(causes, this::storm))
            .or(() -> first(causes, this::configurationValue))
            .or(() -> first(causes, this::unreachable));
        if (known.isEmpty() && !userCode) {
            known = first(causes, cause -> FileFailure.explain(cause).orElse(null))
                .or(() -> Optional.of(anyOther(causes.get(causes.size() - 1))));
        }
        return known.map(FailureExplainer::oneLine);
    }

    private String configurationFile(Throwable cause) {
        String file = cluster.configurationFile();
        if (cause instanceof MarkedYAMLException yaml) {
            String place = yaml.getProblemMark() == null ? "" : ":" + (yaml.getProblemMark().getLine() + 1);
            return file + place + ": not YAML: " + yaml.getProblem() + ". Correct that line.";
        }
        if (cause instanceof YAMLException) {
            return file + ": not YAML: " + cause.getMessage() + ". Correct the file.";
        }
        if (cause instanceof ClassCastException && passes(cause, Utils.class.getName(), "findAndReadConfigFile")) {
            return file + ":1: not a mapping of keys to values. Write one `key: value` on each line.";
        }
        return null;
    }

    private String storm(Throwable cause) {
        if (cause instanceof UnusableMainClassException || cause instanceof UnusableConfigurationException) {
            return cause.getMessage();
        }
        if (cause instanceof NotAliveException gone) {
            return "no such topology is running: " + text(gone.get_msg()) + RUNNING_TOPOLOGIES;
        }
        if (cause instanceof AlreadyAliveException alive) {
            return "a topology of that name is running: " + text(alive.get_msg()) + " `storm kill` it first, or submit under another name.";
        }
        if (cause instanceof InvalidTopologyException invalid) {
            String wrong = passes(cause, Nimbus.Client.class.getName(), "rebalance") ? "the rebalance is refused: "
                : "the topology is not valid: ";
            return wrong + KeyNames.spellOut(text(invalid.get_msg()), cluster.configurationClasses())
                + (isOurs(invalid) ? "" : " Correct it and try again.");
        }
        if (cause instanceof AuthorizationException denied) {
            return "not allowed: " + text(denied.get_msg()) + " Ask an administrator of the cluster, or run it as another user.";
        }
        if (cause instanceof KeyNotFoundException missing) {
            return "no such blob: " + text(missing.get_msg()) + " `storm blobstore list` shows those that exist.";
        }
        if (cause instanceof KeyAlreadyExistsException existing) {
            return "the blob exists: " + text(existing.get_msg()) + " `storm blobstore update` replaces its contents.";
        }
        if (cause instanceof DRPCExecutionException failed) {
            return "the DRPC request failed: " + text(failed.get_msg()) + " Check that a topology serves that function.";
        }
        if (cause.getClass() == RuntimeException.class && thrownBy(cause, StormSubmitter.class.getName()) && cause.getCause() == null) {
            return text(cause.getMessage()) + " `storm list` shows the topologies that are running.";
        }
        return null;
    }

    private String configurationValue(Throwable cause) {
        if (cause instanceof IllegalArgumentException && thrownBy(cause, Utils.class.getName())) {
            return text(cause.getMessage()) + " Correct it and try again.";
        }
        boolean refused = cause instanceof IllegalArgumentException && passesPackage(cause, "org.apache.storm.validation.");
        boolean missing = cause instanceof IllegalStateException && thrownBy(cause, DRPCClient.class.getName());
        if (!refused && !missing) {
            return null;
        }
        return text(KeyNames.spellOut(cause.getMessage(), cluster.configurationClasses())) + " Correct it where it is set: after -c, in "
            + cluster.configurationFile() + ", or in the code of the topology.";
    }

    private String unreachable(Throwable cause) {
        if (cause instanceof NimbusLeaderNotFoundException) {
            return noNimbus();
        }
        if (cause instanceof KeeperException.ConnectionLossException) {
            return "no ZooKeeper answers at " + cluster.zooKeeper() + ". Start it, or name another with storm.zookeeper.servers and "
                + "storm.zookeeper.port in " + cluster.configurationFile() + " or after -c.";
        }
        if (cause instanceof KeeperException.NoNodeException missing) {
            return "ZooKeeper holds nothing at " + missing.getPath() + ". Correct the path.";
        }
        if (cause instanceof TTransportException || cause instanceof IOException) {
            if (passes(cause, DRPCClient.class.getName(), null)) {
                return "no DRPC server answers at " + cluster.drpc() + ". Start one with `storm drpc`, or name another with "
                    + "drpc.servers and drpc.port in " + cluster.configurationFile() + " or after -c.";
            }
            return passes(cause, NimbusClient.class.getName(), null) ? noNimbus() : null;
        }
        if (cause instanceof TApplicationException) {
            return "Nimbus at " + cluster.nimbus() + " failed: " + text(cause.getMessage()) + " Its log, nimbus.log, has the reason.";
        }
        return null;
    }

    private String noNimbus() {
        return "no leading Nimbus found at " + cluster.nimbus() + ". Start one with `storm nimbus`, or name another with nimbus.seeds and "
            + "nimbus.thrift.port in " + cluster.configurationFile() + " or after -c; or the storm.yaml of its cluster with --config.";
    }

    private static String anyOther(Throwable cause) {
        String message = cause.getMessage() == null || cause.getMessage().isBlank() ? cause.getClass().getName() : cause.getMessage();
        if (!(cause instanceof IllegalArgumentException)) {
            return text(message) + " Run it again with --debug for the stack trace.";
        }
        if (message.contains("not a running topology")) {
            return text(message) + RUNNING_TOPOLOGIES;
        }
        return text(message) + (message.startsWith("stream: ") ? UNKNOWN_STREAM : " Correct the command line.");
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < MAX_CAUSES; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    private static Optional<String> first(List<Throwable> causes, Function<Throwable, String> rule) {
        for (Throwable cause : causes) {
            String explanation = rule.apply(cause);
            if (explanation != null) {
                return Optional.of(explanation);
            }
        }
        return Optional.empty();
    }

    private static boolean thrownBy(Throwable cause, String className) {
        StackTraceElement[] stack = cause.getStackTrace();
        return stack.length > 0 && stack[0].getClassName().equals(className);
    }

    /** Whether Eyewall has refused the topology in this process: the message then says what to do. Nimbus's refusals are not wrapped. */
    private static boolean isOurs(InvalidTopologyException refusal) {
        StackTraceElement[] stack = refusal.getStackTrace();
        return refusal instanceof WrappedInvalidTopologyException && stack.length > 0 && stack[0].getClassName().startsWith("io.eyewall.");
    }

    private static boolean passes(Throwable cause, String className, String method) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (frame.getClassName().equals(className) && (method == null || frame.getMethodName().equals(method))) {
                return true;
            }
        }
        return false;
    }

    private static boolean passesPackage(Throwable cause, String packagePrefix) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (frame.getClassName().startsWith(packagePrefix)) {
                return true;
            }
        }
        return false;
    }

    /** The text as a sentence. */
    static String text(String message) {
        String text = message == null ? "no reason given" : message.strip();
        return text.endsWith(".") || text.endsWith("?") ? text : text + ".";
    }

    private static String oneLine(String explanation) {
        return explanation.replaceAll("\\s*\\R\\s*", " ");
    }
}
