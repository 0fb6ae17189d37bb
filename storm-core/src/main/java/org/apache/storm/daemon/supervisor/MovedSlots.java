package org.apache.storm.daemon.supervisor;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.MovableMark;
import io.eyewall.client.time.NanoClock;
import io.eyewall.core.hot.SlotChange;
import java.io.UncheckedIOException;
import java.util.Optional;
import net.bytebuddy.asm.MemberSubstitution;
import org.apache.storm.DaemonConfig;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.EquivalenceUtils;
import org.apache.storm.utils.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seam <em>slot-change</em>: the slots of a Supervisor call this class where upstream calls
 * {@link EquivalenceUtils#areLocalAssignmentsEquivalent}. It is in upstream's package, since a slot's state is package-private. Each slot
 * calls it on its own thread.
 */
public final class MovedSlots {

    private static final Logger LOG = LoggerFactory.getLogger(MovedSlots.class);

    private MovedSlots() {
    }

    /** Whether a running worker keeps running with its new assignment, or without one for a while. */
    public static boolean keepsRunning(@MemberSubstitution.Argument(0) LocalAssignment next,
            @MemberSubstitution.Argument(1) LocalAssignment current,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) Slot.DynamicState slot) {
        SlotChange change = change(next, current, slot.container);
        Optional<String> restartReason = change.restartReason();
        if (restartReason.isPresent()) {
            LOG.info("The worker {} ends, since {}.", slot.container, restartReason.get());
        } else if (next != null && !change.isNone()) {
            LOG.info("The worker {} keeps its process and changes its executors from {} to {}.", slot.container,
                current.get_executors(), next.get_executors());
        }
        return restartReason.isEmpty();
    }

    /**
     * Whether a worker that is being started keeps running with its new assignment, which it reads itself. It may already have tuples from
     * other workers, and forwards them if nothing is assigned to it any longer. A process that has ended, because its topology is gone,
     * holds no tuples.
     */
    public static boolean keepsStarting(@MemberSubstitution.Argument(0) LocalAssignment next,
            @MemberSubstitution.Argument(1) LocalAssignment current,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) Slot.DynamicState slot) {
        return EquivalenceUtils.areLocalAssignmentsEquivalent(next, current)
            || (isHot(slot.container) && (next != null || !slot.container.didMainProcessExit())
                && startingChange(next, current, slot.container).restartReason().isEmpty());
    }

    /** Whether the new assignment may replace the current one. Upstream calls this after it has found that the worker keeps running. */
    public static boolean mayTakeOver(@MemberSubstitution.Argument(0) LocalAssignment next,
            @MemberSubstitution.Argument(1) LocalAssignment current,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) Slot.DynamicState slot) {
        return slot.container != null || EquivalenceUtils.areLocalAssignmentsEquivalent(next, current);
    }

    /**
     * Whether a worker that has died may be started again with the same command, whose memory was computed for the executors of the first
     * start.
     */
    public static boolean mayRelaunch(@MemberSubstitution.Argument(0) LocalAssignment next,
            @MemberSubstitution.Argument(1) LocalAssignment current,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) Slot.DynamicState slot) {
        // Only a container that a test puts together by hand has no assignment.
        return EquivalenceUtils.areLocalAssignmentsEquivalent(next, current) && (slot.container.assignment == null
            || EquivalenceUtils.areLocalAssignmentsEquivalent(slot.container.assignment, current));
    }

    private static SlotChange change(LocalAssignment next, LocalAssignment current, Container container) {
        String id = container.getWorkerId();
        if (id == null) {
            // Its directory is gone, or a test put the container together by hand.
            return new SlotChange(current, next, Optional.empty(), 0, false);
        }
        MovableMark mark = new MovableMark(ConfigUtils.workerRoot(container.conf, id));
        long nowNs = NanoClock.SYSTEM.nanoTime();
        SlotChange change = new SlotChange(current, next, mark.read(NanoClock.SYSTEM), MovableMark.freshForMs(container.conf),
            isEnforced(container));
        if (change.isReassigned()) {
            remember(mark, nowNs);
        }
        return change;
    }

    /** A Supervisor whose disk is full goes on, and ends the worker only if it is assigned other executors when its session is over. */
    private static void remember(MovableMark mark, long nowNs) {
        try {
            mark.setReassigned(nowNs);
        } catch (UncheckedIOException e) {
            LOG.warn("{}: {}", e.getMessage(), e.getCause().getMessage());
        }
    }

    /** The change of a worker that has not read its assignment yet. */
    private static SlotChange startingChange(LocalAssignment next, LocalAssignment current, Container container) {
        return new SlotChange(current, next, Optional.of(new MovableMark.Reading("", 0, false)), MovableMark.freshForMs(container.conf),
            isEnforced(container));
    }

    /** A topology with an invalid value has no running workers, but its Supervisor runs. */
    private static boolean isHot(Container container) {
        return "true".equals(String.valueOf(container.topoConf.get(EngineConfiguration.HOT_REBALANCE)));
    }

    private static boolean isEnforced(Container container) {
        return ObjectReader.getBoolean(container.conf.get(DaemonConfig.STORM_RESOURCE_ISOLATION_PLUGIN_ENABLE), false);
    }
}
