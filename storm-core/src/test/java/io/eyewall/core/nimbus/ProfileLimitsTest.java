package io.eyewall.core.nimbus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.LocalCluster;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class ProfileLimitsTest {

    private static final String ID = "t-1-1";
    private static final long START_MS = 1_764_028_800_000L;
    private static final long MINUTE_MS = 60_000;

    private final AtomicLong nowMs = new AtomicLong(START_MS);
    private final ProfileLimits limits = new ProfileLimits(() -> Instant.ofEpochMilli(nowMs.get()));
    private List<String> active = List.of(ID);

    @Test
    void shouldSayWhoRecordsAWorkerAndUntilWhen() throws Exception {
        begin(1, "ann", START_MS + MINUTE_MS);

        TApplicationException refused = assertThrows(TApplicationException.class, () -> begin(1, "bert", START_MS + 2 * MINUTE_MS));

        assertEquals(ProfileLimits.CONFLICT, refused.getType());
        assertEquals("The worker a:1 of t-1-1 is being recorded by ann until 2025-11-25T00:01:00Z. Wait, or end that with"
            + " profiling/stop/a:1 of the REST API.", refused.getMessage());
        begin(1, "ann", START_MS + MINUTE_MS); // The same request, sent again.
        nowMs.addAndGet(MINUTE_MS);
        begin(1, "bert", START_MS + 2 * MINUTE_MS);
    }

    @Test
    void shouldRefuseMoreThanAFew() throws Exception {
        fill();

        TApplicationException refused = assertThrows(TApplicationException.class, () -> begin(9, "bert", START_MS + MINUTE_MS));

        assertEquals(ProfileLimits.TOO_MANY, refused.getType());
        assertEquals("5 workers are being recorded, the most at a time. The first recording ends at 2025-11-25T00:00:59Z. Wait, or end one"
            + " with profiling/stop/HOST:PORT of the REST API.", refused.getMessage());
        check("other-1-1", 2, ProfileAction.JPROFILE_STOP, "", 0);
        assertThrows(TApplicationException.class, () -> begin(9, "bert", START_MS + MINUTE_MS), "another topology's was ended");
        check(ID, 2, ProfileAction.JPROFILE_STOP, "", 0);
        begin(9, "bert", START_MS + MINUTE_MS);
    }

    @Test
    void shouldForgetWorkersThatAreNoMore() throws Exception {
        fill();
        check(ID, 3, ProfileAction.JVM_RESTART, "", nowMs.get());
        begin(9, "", START_MS + MINUTE_MS);
        assertThrows(TApplicationException.class, () -> check("new-2-2", 1, ProfileAction.JPROFILE_STOP, "", START_MS + MINUTE_MS));
        active = List.of("new-2-2");
        check("new-2-2", 1, ProfileAction.JPROFILE_STOP, "", START_MS + MINUTE_MS);
    }

    @Test
    void shouldNotCountWhatIsDoneAtOnce() throws Exception {
        fill();
        for (ProfileAction action : Set.of(ProfileAction.JSTACK_DUMP, ProfileAction.JMAP_DUMP, ProfileAction.JPROFILE_DUMP)) {
            check(ID, 1, action, "", START_MS + 1);
            check(ID, 9, action, "", START_MS + 1);
        }
    }

    @Test
    void shouldHoldForWhoeverAsksNimbus() throws Exception {
        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(0).build()) {
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("words", new TestWordSpout());
            Nimbus nimbus = cluster.getNimbus();
            nimbus.submitTopologyWithOpts("recorded", null, "{}", Utils.addVersions(builder.createTopology()),
                new SubmitOptions(TopologyInitialStatus.INACTIVE));
            String id = nimbus.getTopologySummaryByName("recorded").get_id();
            long endMs = System.currentTimeMillis() + 10 * MINUTE_MS;
            nimbus.setWorkerProfiler(id, request(1, ProfileAction.JPROFILE_STOP, endMs));

            TApplicationException refused = assertThrows(TApplicationException.class,
                () -> nimbus.setWorkerProfiler(id, request(1, ProfileAction.JPROFILE_STOP, endMs + 1)));

            assertEquals(ProfileLimits.CONFLICT, refused.getType());
            nimbus.setWorkerProfiler(id, request(1, ProfileAction.JPROFILE_STOP, 0));
            nimbus.setWorkerProfiler(id, request(1, ProfileAction.JPROFILE_STOP, endMs + 1));
        }
    }

    private void fill() throws TApplicationException {
        for (int port = 1; port <= ProfileLimits.MAX_RECORDINGS; port++) {
            begin(port, "", START_MS + MINUTE_MS - port);
        }
    }

    private void begin(int port, String user, long endMs) throws TApplicationException {
        check(ID, port, ProfileAction.JPROFILE_STOP, user, endMs);
    }

    private void check(String topology, int port, ProfileAction action, String user, long timeMs) throws TApplicationException {
        limits.check(topology, request(port, action, timeMs), user, () -> active);
    }

    private static ProfileRequest request(long port, ProfileAction action, long timeMs) {
        ProfileRequest request = new ProfileRequest(new NodeInfo("a", Set.of(port)), action);
        request.set_time_stamp(timeMs);
        return request;
    }
}
