package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.utils.DisallowedStrategyException;
import org.apache.storm.utils.ReflectionUtils;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Which classes a topology has Nimbus instantiate. */
class StrategyCve202682440Test {

    @Test
    void shouldInstantiateStrategiesOfStormsOnly() throws Exception {
        assertEquals("java.lang.Object", Upstream.attackedBy(Strategy.class));

        assertThrows(DisallowedStrategyException.class, new Strategy()::call);
        String own = "org.apache.storm.scheduler.resource.strategies.scheduling.RoundRobinResourceAwareStrategy";
        assertEquals(own, ReflectionUtils.newSchedulerStrategyInstance(own, Map.of()).getClass().getName());
        assertEquals(Object.class, ReflectionUtils.newSchedulerStrategyInstance("java.lang.Object",
            Map.of("nimbus.scheduler.strategy.class.whitelist", List.of("java.lang.Object"))).getClass());
    }

    /** Has Nimbus instantiate a class. */
    static final class Strategy implements Callable<Object> {
        @Override
        public Object call() {
            return ReflectionUtils.newSchedulerStrategyInstance("java.lang.Object", Utils.readDefaultConfig()).getClass().getName();
        }
    }
}
