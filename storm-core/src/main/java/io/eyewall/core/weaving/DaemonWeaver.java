package io.eyewall.core.weaving;

import static net.bytebuddy.matcher.ElementMatchers.named;

import io.eyewall.client.weaving.Seam;
import io.eyewall.client.weaving.Weaver;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.storm.daemon.supervisor.MovedSlots;

/** Weaves every seam of the daemons. */
public final class DaemonWeaver extends Weaver {

    private static final String EQUIVALENCE = "org.apache.storm.utils.EquivalenceUtils";
    private static final String EQUIVALENT = "areLocalAssignmentsEquivalent";
    private static final String SLOT = "org.apache.storm.daemon.supervisor.Slot";

    /** For Byte Buddy's plugin. */
    public DaemonWeaver() {
        super(seams());
    }

    private static List<Seam> seams() {
        return List.of(
            Seam.delegation("slot-change", SLOT, named("handleRunning"), EQUIVALENCE, EQUIVALENT, delegate("keepsRunning")),
            Seam.delegation("slot-change (starting)", SLOT, named("handleWaitingForWorkerStart"), EQUIVALENCE, EQUIVALENT,
                delegate("keepsStarting")),
            Seam.delegation("slot-change (taken over)", SLOT, named("updateAssignmentIfNeeded"), EQUIVALENCE, EQUIVALENT,
                delegate("mayTakeOver")),
            Seam.delegation("slot-change (relaunch)", SLOT, named("handleKillAndRelaunch"), EQUIVALENCE, EQUIVALENT,
                delegate("mayRelaunch")),
            Seam.advice("rebalance-options", "org.apache.storm.daemon.nimbus.Nimbus", named("rebalance"), DaemonAdvice.Rebalancing.class));
    }

    private static Method delegate(String name) {
        return Weaver.method(MovedSlots.class, name);
    }
}
