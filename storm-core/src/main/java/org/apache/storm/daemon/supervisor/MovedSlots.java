package org.apache.storm.daemon.supervisor;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.client.seam.MovableMark;
import io.eyewall.client.time.NanoClock;
import io.eyewall.core.hot.SlotChange;
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
 * What the slots of a Supervisor ask in the place of {@link EquivalenceUtils#areLocalAssignmentsEquivalent}: the seam
 * <em>slot-change</em>. In upstream's package, since a slot's state is known in it only. Each slot asks on its own thread.
 */
public final class MovedSlots {

    private static final Logger LOG = LoggerFactory.getLogger(MovedSlots.class);

    private MovedSlots() {
    }

    /** Whether a worker that runs goes on with its new assignment, or without one for a while. */
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
     * Whether a worker that is being started goes on with its new assignment, which it reads itself. It may have tuples of other workers by
     * now, which it sends on if it is assigned nothing any more. A process that has ended, because its topology is gone, holds none.
     */
    public static boolean keepsStarting(@MemberSubstitution.Argument(0) LocalAssignment next,
            @MemberSubstitution.Argument(1) LocalAssignment current,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) Slot.DynamicState slot) {
        return EquivalenceUtils.areLocalAssignmentsEquivalent(next, current)
            || (isHot(slot.container) && (next != null || !slot.container.didMainProcessExit())
                && startingChange(next, current, slot.container).restartReason().isEmpty());
    }

    /** Whether the new assignment may take the place of the current one: upstream asks after it has found that the worker goes on. */
    public static boolean mayTakeOver(@MemberSubstitution.Argument(0) LocalAssignment next,
            @MemberSubstitution.Argument(1) LocalAssignment current,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) Slot.DynamicState slot) {
        return slot.container != null || EquivalenceUtils.areLocalAssignmentsEquivalent(next, current);
    }

    /** Whether a worker that has died may start again as it was started: with the memory that it was given for the executors of then. */
    public static boolean mayRelaunch(@MemberSubstitution.Argument(0) LocalAssignment next,
            @MemberSubstitution.Argument(1) LocalAssignment current,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) Slot.DynamicState slot) {
        // Only a container that a test puts together by hand was launched for nothing.
        return EquivalenceUtils.areLocalAssignmentsEquivalent(next, current) && (slot.container.assignment == null
            || EquivalenceUtils.areLocalAssignmentsEquivalent(slot.container.assignment, current));
    }

    private static SlotChange change(LocalAssignment next, LocalAssignment current, Container container) {
        String id = container.getWorkerId();
        if (id == null) {
            // Its directory is gone, or a test put the container together by hand.
            return new SlotChange(current, next, Optional.empty(), 0, false);
        }
        Optional<MovableMark.Reading> mark = new MovableMark(ConfigUtils.workerRoot(container.conf, id))
            .read(NanoClock.SYSTEM.nanoTime());
        return new SlotChange(current, next, mark, MovableMark.freshForMs(container.conf), isEnforced(container));
    }

    /** Of a worker that has not read its assignment yet. */
    private static SlotChange startingChange(LocalAssignment next, LocalAssignment current, Container container) {
        return new SlotChange(current, next, Optional.of(new MovableMark.Reading("", 0)), MovableMark.freshForMs(container.conf),
            isEnforced(container));
    }

    /** A topology with a value that is none has no workers that run; its Supervisor does. */
    private static boolean isHot(Container container) {
        return "true".equals(String.valueOf(container.topoConf.get(EngineConfiguration.HOT_REBALANCE)));
    }

    private static boolean isEnforced(Container container) {
        return ObjectReader.getBoolean(container.conf.get(DaemonConfig.STORM_RESOURCE_ISOLATION_PLUGIN_ENABLE), false);
    }
}
