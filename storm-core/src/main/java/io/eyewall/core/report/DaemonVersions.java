package io.eyewall.core.report;

import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.VersionInfo;

/**
 * Prints the version of this installation and of every daemon that Nimbus knows, for {@code storm doctor}. A line has the kind of daemon,
 * or "here", the host and the version, with a space between.
 */
public final class DaemonVersions {

    private DaemonVersions() {
    }

    /**
     * Prints the versions on standard output.
     *
     * @param arguments none
     * @throws Exception if Nimbus cannot be asked, or refuses
     */
    public static void main(String[] arguments) throws Exception {
        NimbusClient.withConfiguredClient(client -> {
            ClusterSummary cluster = client.getClusterInfo();
            System.out.println("here localhost " + VersionInfo.getVersion());
            cluster.get_nimbuses().forEach(nimbus -> System.out.println("nimbus " + nimbus.get_host() + " " + nimbus.get_version()));
            cluster.get_supervisors().forEach(
                supervisor -> System.out.println("supervisor " + supervisor.get_host() + " " + supervisor.get_version()));
        });
    }
}
