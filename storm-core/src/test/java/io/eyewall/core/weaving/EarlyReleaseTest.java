package io.eyewall.core.weaving;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.localizer.AsyncLocalizer;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlyReleaseTest {

    @Test
    void shouldReleaseASlotWhoseTopologyIsNotDownloadedYet(@TempDir Path local) throws Exception {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put("storm.local.dir", local.toString());
        StormMetricsRegistry metrics = new StormMetricsRegistry();
        LocalAssignment assignment = new LocalAssignment("words-1-1", List.of());
        assignment.set_owner("alice");

        try (AsyncLocalizer localizer = new AsyncLocalizer(conf, metrics)) {
            localizer.releaseSlotFor(assignment, 6700);
        }

        assertEquals(1, metrics.getMeter("supervisor:local-resource-file-not-found-when-releasing-slot").getCount());
    }
}
