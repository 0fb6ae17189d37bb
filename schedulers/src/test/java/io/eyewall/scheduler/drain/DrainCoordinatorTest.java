package io.eyewall.scheduler.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.scheduler.cluster.MemoryBlobs;
import io.eyewall.scheduler.cluster.StormFixture;
import io.eyewall.scheduler.drain.DrainRequest.Progress;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.apache.storm.scheduler.resource.ResourceAwareScheduler;
import org.junit.jupiter.api.Test;

/** Machines have two slots each; the topology has a worker on each of the machines that it was placed on. */
class DrainCoordinatorTest {

    private static final long START_MS = 1_732_000_000_000L;

    private final MemoryBlobs blobs = new MemoryBlobs();
    private final FakeStates states = new FakeStates();
    private StormFixture storm = new StormFixture("m1", "m2");
    private DrainCoordinator coordinator = coordinator(null);
    private long nowMs = START_MS;

    @Test
    void shouldMoveTheWorkersAndReportWhenNoneIsLeft() {
        Map<ExecutorDetails, WorkerSlot> before = storm.placement();
        ask("m1");
        states.workers.put("m1", Set.of("linear-1-1 on port 6700"));

        round();

        assertEquals(Set.of("m2"), machines());
        before.forEach((executor, slot) -> {
            if (slot.getNodeId().equals("m2")) {
                assertEquals(slot, storm.placement().get(executor), "what is elsewhere stays");
            }
        });
        assertEquals(2, Set.copyOf(storm.placement().values()).size(), "the worker has a slot of its own");
        assertEquals(new DrainRequest("m1", Progress.DRAINING, "linear-1-1 on port 6700", nowMs), request("m1"));

        round();
        assertEquals(Progress.DRAINING, request("m1").progress(), "the worker still hands its executors over");
        states.workers.clear();
        round();
        assertEquals(new DrainRequest("m1", Progress.EMPTY, "", nowMs), request("m1"));
    }

    @Test
    void shouldPlaceNothingOnADrainedSupervisorUntilThatIsCancelled() {
        ask("m1");
        round();
        round();
        assertEquals(Progress.EMPTY, request("m1").progress());

        storm.leave("m2");
        storm.join("m3");
        round();
        assertEquals(Set.of("m3"), machines());

        blobs.delete(request("m1").key());
        storm.leave("m3");
        round();
        assertEquals(Set.of("m1"), machines());
    }

    @Test
    void shouldGoOnInAnotherNimbus() {
        ask("m1");
        round();

        coordinator = coordinator(null);
        storm.leave("m2");
        storm.join("m3");
        round();

        assertEquals(Set.of("m3"), machines());
    }

    @Test
    void shouldJoinWorkersWhenNoSlotIsFree() {
        StormFixture full = new StormFixture("m1", "m2", "m3");
        full.leave("m3");
        storm = full;
        // Two workers on two machines, and three of the four slots taken.
        round();
        ask("m1");
        round();

        assertEquals(Set.of("m2"), machines());
        assertEquals(full.details().getExecutors(), full.placement().keySet());
    }

    @Test
    void shouldMoveNothingWhenThereIsNowhereToGo() {
        storm = new StormFixture("m1");
        Map<ExecutorDetails, WorkerSlot> before = storm.placement();
        ask("m1");

        round();

        assertEquals(before, storm.placement());
        assertEquals(Progress.REFUSED, request("m1").progress());
        assertEquals("No other Supervisor has a free slot, or another worker of the topology, for linear-1-1 on port 6700. Start a "
            + "Supervisor, or kill a topology. Nothing has moved", request("m1").text());
        Cluster cluster = storm.cluster();
        coordinator.runRound(cluster);
        assertEquals(1, cluster.getAvailableSlots().size(), "the Supervisor stays in service");

        nowMs += DrainCoordinator.REFUSAL_LIFETIME_MS + 1;
        round();
        assertTrue(blobs.read("eyewall-drain-m1").isEmpty());
    }

    @Test
    void shouldNotMoveFromOneDrainedSupervisorToAnother() {
        storm.join("m3");
        ask("m1");
        ask("m2");

        round();

        assertEquals(Set.of("m3"), machines());
    }

    @Test
    void shouldMoveNothingWhenOneOfSeveralSupervisorsHasNowhereToGo() {
        Map<ExecutorDetails, WorkerSlot> before = storm.placement();
        ask("m1");
        ask("m2");

        round();

        assertEquals(before, storm.placement());
        assertEquals(Progress.REFUSED, request("m1").progress());
        assertEquals(Progress.REFUSED, request("m2").progress());
    }

    @Test
    void shouldForgetAnEmptySupervisorWhenItHasEndedOrStartedAnew() {
        ask("m1");
        round();
        round();
        nowMs += 100_000;
        states.uptimeSecs = 99;
        round();
        assertTrue(blobs.read("eyewall-drain-m1").isEmpty(), "it was started a second after it had been empty");
        Cluster cluster = storm.cluster();
        coordinator.runRound(cluster);
        assertEquals(2, cluster.getAvailableSlots().size());

        ask("m1");
        round();
        storm.leave("m1");
        round();
        assertTrue(blobs.read("eyewall-drain-m1").isEmpty());
    }

    @Test
    void shouldRefuseWhoIsNoAdministratorAndWhatIsUnknown() {
        ask("m1");
        blobs.setByStranger("eyewall-drain-m1");
        ask("m4");
        round();
        assertEquals(Set.of("m1", "m2"), machines());
        assertTrue(request("m1").text().startsWith("You may not drain Supervisors: "), request("m1").text());
        assertEquals("There is no Supervisor m4 in the cluster", request("m4").text());

        DrainRequest forged = new DrainRequest("m1", Progress.DRAINING, "", nowMs);
        blobs.write(forged.key(), forged.toBytes());
        round();
        assertEquals(Set.of("m1", "m2"), machines());
        assertEquals(Progress.REFUSED, request("m1").progress());
    }

    @Test
    void shouldRefuseWithASchedulerThatMovesExecutorsItself() {
        assertEquals(null, DrainingScheduler.obstacle(new DefaultScheduler()));
        coordinator = coordinator(DrainingScheduler.obstacle(new ResourceAwareScheduler()));
        ask("m1");
        round();
        assertEquals(Set.of("m1", "m2"), machines());
        assertTrue(request("m1").text().startsWith("The cluster's storm.scheduler is " + ResourceAwareScheduler.class.getName()),
            request("m1").text());
    }

    @Test
    void shouldPlaceNothingOnADrainedSupervisorWhileBlobsCannotBeRead() {
        ask("m1");
        round();
        blobs.setUnreadable(true);
        storm.leave("m2");
        storm.join("m3");
        round();
        assertEquals(Set.of("m3"), machines());
    }

    @Test
    void shouldNotCallASupervisorEmptyWhileTheStateStorageCannotBeReached() {
        ask("m1");
        states.broken = true;
        round();
        round();
        assertEquals(Progress.WAITING, request("m1").progress());
        assertEquals(Set.of("m2"), machines());
    }

    private void ask(String supervisor) {
        blobs.write(DrainRequest.of(supervisor).key(), DrainRequest.of(supervisor).toBytes());
    }

    private DrainRequest request(String supervisor) {
        return DrainRequest.of(blobs.read("eyewall-drain-" + supervisor).orElseThrow());
    }

    private Set<String> machines() {
        return storm.placement().values().stream().map(WorkerSlot::getNodeId).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What Nimbus does every ten seconds: executors on machines that have left have no slot any more. */
    private void round() {
        nowMs += 10_000;
        Cluster cluster = storm.cluster();
        cluster.freeSlots(cluster.getUsedSlots().stream().filter(slot -> cluster.getSupervisorById(slot.getNodeId()) == null).toList());
        coordinator.runRound(cluster);
        new DefaultScheduler().schedule(cluster.getTopologies(), cluster);
        storm.keep(cluster);
    }

    private DrainCoordinator coordinator(String obstacle) {
        return new DrainCoordinator(blobs, states, obstacle, () -> nowMs);
    }

    private static final class FakeStates implements SupervisorStates {

        private final Map<String, Set<String>> workers = new HashMap<>();
        private long uptimeSecs = 1_000_000;
        private boolean broken;

        @Override
        public SortedSet<String> workers(String supervisorId) {
            if (broken) {
                throw new IllegalStateException("Cannot reach the state storage.");
            }
            return new TreeSet<>(workers.getOrDefault(supervisorId, Set.of()));
        }

        @Override
        public OptionalLong uptimeSecs(String supervisorId) {
            return OptionalLong.of(uptimeSecs);
        }
    }
}
