package io.eyewall.scheduler.stela;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.blacklist.BlacklistScheduler;
import org.apache.storm.utils.ReflectionUtils;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class ElasticitySchedulerTest {

    private static final String FORMER_NAME = "io.eyewall.scheduler.stela.ElasticityScheduler";

    /** Makes the scheduler in the way in which Nimbus makes it. */
    @Test
    void shouldEndNimbusWithTheNewNameWhenTheFormerOneIsConfigured() {
        IScheduler scheduler = ReflectionUtils.newInstance(FORMER_NAME);
        Map<String, Object> conf = Utils.readDefaultConfig();

        IllegalStateException refusal = assertThrows(IllegalStateException.class,
            () -> new BlacklistScheduler(scheduler).prepare(conf, new StormMetricsRegistry()));

        assertEquals("storm.scheduler: io.eyewall.scheduler.stela.ElasticityScheduler has another name now. Set storm.scheduler: "
            + "io.eyewall.scheduler.scaling.ElasticityScheduler in Nimbus's storm.yaml and start Nimbus again.", refusal.getMessage());
    }

    @Test
    void shouldKeepTheFormerNameForClustersThatHaveNotBeenUpgraded() {
        assertTrue(io.eyewall.scheduler.scaling.ElasticityScheduler.NAMES.contains(FORMER_NAME));
    }
}
