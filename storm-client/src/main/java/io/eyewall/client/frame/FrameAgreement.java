package io.eyewall.client.frame;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.messaging.netty.BackPressureStatus;

/**
 * How a worker says that it reads frames, and up to which version: behind its id, in the status of back-pressure with which it answers
 * every connection, after SASL where that is on. Upstream only logs that id.
 */
final class FrameAgreement {

    private static final String ANNOUNCEMENT = " reads frames up to version ";
    private static final Pattern ANNOUNCED = Pattern.compile(ANNOUNCEMENT + "(\\d{1,9})$");

    private FrameAgreement() {
    }

    /** Adds the announcement to the first status of a connection. */
    static BackPressureStatus announce(BackPressureStatus status) {
        status.workerId += ANNOUNCEMENT + FrameFormat.VERSION;
        return status;
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
