package org.apache.storm.daemon.supervisor;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The seam <em>profile-request</em>: upstream's slot forgets a request for a recording when it has begun with it, so that nothing ends the
 * recording. It is in upstream's package, since a slot's state is package-private. Each slot calls it on its own thread.
 */
public final class ProfileRequests {

    private ProfileRequests() {
    }

    /**
     * In place of {@code DynamicState.withProfileActions} where a slot begins a round.
     *
     * @param asked what Nimbus asks for
     * @param begun recordings whose end is awaited, also those of a topology that was in this slot before
     */
    public static Slot.DynamicState remembering(Slot.DynamicState slot, Set<Slot.TopoProfileAction> asked,
            Set<Slot.TopoProfileAction> begun) {
        Set<Slot.TopoProfileAction> awaited = begun.stream().filter(request -> slot.currentAssignment != null
            && request.topoId.equals(slot.currentAssignment.get_topology_id())).collect(Collectors.toSet());
        Set<Slot.TopoProfileAction> all = new HashSet<>(asked);
        all.addAll(awaited);
        return slot.withProfileActions(all, awaited);
    }
}
