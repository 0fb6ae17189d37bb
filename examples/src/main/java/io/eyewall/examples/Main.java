package io.eyewall.examples;

import io.eyewall.examples.configuration.ConfigurationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.StormSubmitter;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;

/**
 * Submits an example: {@code storm jar eyewall-examples.jar io.eyewall.examples.Main TOPOLOGY NAME [-c key=value]...}. With
 * {@code --list} it prints the topologies' names and pictures. If something is wrong, it prints one line to the error stream and exits
 * with code 1.
 */
public final class Main {

    private static final String USAGE = "Usage: Main TOPOLOGY NAME [-c key=value]... | Main --list";

    private Main() {
    }

    /**
     * Runs the command; see the class.
     */
    public static void main(String[] arguments) throws TException {
        if (arguments.length == 1 && arguments[0].equals("--list")) {
            ExampleTopologies.all().forEach(topology -> System.out.printf("%-20s %s%n", topology.name(), topology.picture()));
            return;
        }
        if (arguments.length == 0) {
            fail(USAGE);
            return;
        }
        Optional<ExampleTopology> topology = ExampleTopologies.find(arguments[0]);
        if (topology.isEmpty()) {
            fail("There is no topology '" + arguments[0] + "'. The topologies are "
                + String.join(", ", ExampleTopologies.all().stream().map(ExampleTopology::name).toList()));
            return;
        }
        submit(topology.get(), List.of(arguments).subList(1, arguments.length).toArray(String[]::new));
    }

    /**
     * Submits one topology.
     *
     * @param arguments the name to run under, and any number of {@code -c key=value}
     * @throws TException if the cluster refuses the topology; the {@code storm} command explains why, and what to do
     */
    static void submit(ExampleTopology example, String[] arguments) throws TException {
        try {
            Map<String, Object> given = new HashMap<>();
            List<String> names = new ArrayList<>();
            parse(arguments, names, given);
            if (names.size() != 1) {
                fail("Expected one name for the topology, but got " + names.size() + ". Usage: " + example.name()
                    + " NAME [-c key=value]...");
                return;
            }
            Submission submission = Submission.of(example, given, Utils.readStormConfig());
            StormSubmitter.submitTopology(names.get(0), submission.configuration(), submission.topology());
        } catch (ConfigurationException wrong) {
            fail(wrong.getMessage());
        }
    }

    /**
     * Splits arguments into names and configuration. A whole number becomes a {@link Long}, {@code true} and {@code false} become a
     * {@link Boolean}, any other value stays a text.
     *
     * @throws ConfigurationException if {@code -c} is not followed by {@code key=value}
     */
    static void parse(String[] arguments, List<String> names, Map<String, Object> configuration) {
        for (Iterator<String> rest = List.of(arguments).iterator(); rest.hasNext();) {
            String argument = rest.next();
            if (!argument.equals("-c")) {
                names.add(argument);
                continue;
            }
            String pair = rest.hasNext() ? rest.next() : "";
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new ConfigurationException("-c must be followed by key=value");
            }
            configuration.put(pair.substring(0, equals), value(pair.substring(equals + 1)));
        }
    }

    private static Object value(String text) {
        if (text.matches("-?[0-9]{1,18}")) {
            return Long.valueOf(text);
        }
        return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
    }

    private static void fail(String message) {
        System.err.println(message);
        System.exit(1);
    }
}
