package io.eyewall.core.security;

import io.eyewall.client.security.Redaction;
import java.util.List;
import org.apache.storm.utils.ServerUtils;

/** What upstream's Supervisor calls, by weaving. */
public final class SupervisorCalls {

    private SupervisorCalls() {
    }

    /** In place of {@code ServerUtils.shellCmd} where the command of a worker is logged, which may have passwords of key stores. */
    public static String loggedCommand(List<String> command) {
        return Redaction.usual().maskText(ServerUtils.shellCmd(command));
    }
}
