package io.eyewall.core.security;

import io.eyewall.client.security.Redaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.storm.container.ResourceIsolationInterface;
import org.apache.storm.utils.ServerUtils;

/** What upstream's Supervisor calls, by weaving. */
public final class SupervisorCalls {

    private SupervisorCalls() {
    }

    /** In place of {@code ServerUtils.shellCmd} where the command of a worker is logged, which may have passwords of key stores. */
    public static String loggedCommand(List<String> command) {
        return Redaction.usual().maskText(ServerUtils.shellCmd(command));
    }

    /**
     * In place of {@code ResourceIsolationInterface.areAllProcessesDead} where a Supervisor looks whether a worker has ended. The processes
     * of a worker belong to the Supervisor's user, unless a launcher that is trusted changes that. Upstream asks only for those of the
     * topology's owner. Where that is another user, it finds none, and neither ends the worker nor waits for its end.
     */
    public static boolean areAllProcessesDead(ResourceIsolationInterface isolation, String owner, String workerId) throws IOException {
        return isolation.areAllProcessesDead(ownUser(), workerId) && isolation.areAllProcessesDead(owner, workerId);
    }

    /** As the owner of a process is named in {@code /proc}, which is what upstream compares. */
    private static String ownUser() {
        try {
            return Files.getOwner(Path.of("/proc/self")).getName();
        } catch (IOException e) {
            return System.getProperty("user.name"); // Upstream looks with ps then.
        }
    }
}
