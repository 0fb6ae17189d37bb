package io.eyewall.client.stream.slot;

import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.utils.SupervisorClient;
import org.apache.storm.utils.Utils;

/**
 * The slot that a container runs in, as a Supervisor gives it to the process that it starts. Immutable.
 *
 * @param topologyId the topology's id
 * @param supervisorId the Supervisor's id, by which assignments name the host
 * @param supervisorPort the Supervisor's Thrift port
 * @param port the slot's port
 * @param workerId the id under which the Supervisor knows the process
 */
public record Slot(String topologyId, String supervisorId, int supervisorPort, int port, String workerId) {

    /** How many arguments a slot is. */
    public static final int ARGUMENTS = 5;

    /** The slot in the first arguments of a process, in the order in which Supervisors write them. */
    public static Slot parse(String... arguments) {
        if (arguments.length < ARGUMENTS) {
            throw new IllegalArgumentException("Expected a topology, a Supervisor, its port, a port and a worker's id, not "
                + String.join(" ", arguments));
        }
        int next = 0;
        return new Slot(arguments[next++], arguments[next++], Integer.parseInt(arguments[next++]), Integer.parseInt(arguments[next++]),
            arguments[next]);
    }

    /** The arguments of a process. */
    public List<String> arguments() {
        return List.of(topologyId, supervisorId, String.valueOf(supervisorPort), String.valueOf(port), workerId);
    }

    /** A client of the Supervisor; {@code conf} is the topology's configuration. */
    public SupervisorClient supervisor(Map<String, Object> conf) throws UnknownHostException {
        return SupervisorClient.Builder.withConf(conf).withHostName(Utils.hostname()).withPort(supervisorPort).createSupervisorClient();
    }

    /** The slot as assignments name it. */
    public NodeInfo place() {
        return new NodeInfo(supervisorId, Set.of((long) port));
    }
}
