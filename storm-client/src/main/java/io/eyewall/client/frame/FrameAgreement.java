package io.eyewall.client.frame;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.messaging.netty.BackPressureStatus;

/**
 * How a worker says that it reads frames, and up to which version: after its id, in the back-pressure status that it sends first on every
 * connection, after SASL where that is on. Upstream only logs that id. In the same way it says that it takes offers of rings in shared
 * memory.
 */
final class FrameAgreement {

    private static final String ANNOUNCEMENT = " reads frames up to version ";
    private static final String SHARES_MEMORY = " shares memory";
    private static final Pattern ANNOUNCED = Pattern.compile(ANNOUNCEMENT + "(\\d{1,9})$");

    private FrameAgreement() {
    }

    /** Adds the announcement to the first status of a connection. */
    static BackPressureStatus announce(BackPressureStatus status, boolean sharesMemory) {
        status.workerId += (sharesMemory ? SHARES_MEMORY : "") + ANNOUNCEMENT + FrameFormat.VERSION;
        return status;
    }

    /** Whether a status says that its sender takes offers of rings for the frames of this worker. */
    static boolean sharesMemory(BackPressureStatus status) {
        return isAnnouncedBy(status) && status.workerId.contains(SHARES_MEMORY + ANNOUNCEMENT);
    }

    /** Whether a status says that its sender reads the frames of this worker. */
    static boolean isAnnouncedBy(BackPressureStatus status) {
        if (status.workerId == null) {
            return false;
        }
        Matcher announced = ANNOUNCED.matcher(status.workerId);
        return announced.find() && Integer.parseInt(announced.group(1)) >= FrameFormat.VERSION;
    }
}
