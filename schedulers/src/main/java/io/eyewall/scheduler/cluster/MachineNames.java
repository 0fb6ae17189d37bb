package io.eyewall.scheduler.cluster;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.storm.scheduler.SupervisorDetails;

/**
 * Readable names of machines, which Storm identifies by the ids of their Supervisors. The name is the host, or the host and the first
 * characters of the id if the host has several Supervisors. Immutable.
 */
public final class MachineNames {

    private static final int SHORT_ID = 8;

    private final Map<String, String> names = new TreeMap<>();

    /** The names of these machines. */
    public MachineNames(Collection<SupervisorDetails> supervisors) {
        Map<String, Long> onHost = supervisors.stream().collect(Collectors.groupingBy(MachineNames::host, HashMap::new,
            Collectors.counting()));
        for (SupervisorDetails one : supervisors) {
            String id = one.getId();
            names.put(id, onHost.get(host(one)) == 1 ? host(one) : host(one) + "/" + id.substring(0, Math.min(SHORT_ID, id.length())));
        }
    }

    /** The name of a machine, or its id if it is unknown. */
    public String nameOf(String supervisorId) {
        return names.getOrDefault(supervisorId, supervisorId);
    }

    /** The text with all ids of machines replaced by their names. */
    public String replaceIds(String text) {
        String named = text;
        for (Map.Entry<String, String> entry : names.entrySet()) {
            named = named.replace(entry.getKey(), entry.getValue());
        }
        return named;
    }

    private static String host(SupervisorDetails supervisor) {
        return supervisor.getHost() == null ? "" : supervisor.getHost();
    }
}
