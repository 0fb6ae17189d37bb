package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.henge.Goal;
import io.eyewall.elasticity.henge.HengeConfiguration;
import io.eyewall.elasticity.henge.RemedyKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HengeSettingsTest {

    @Test
    void shouldHaveThePlannersDefaults() {
        assertEquals(HengeConfiguration.DEFAULT, new HengeSettings().configuration());
    }

    @Test
    void shouldPassTheSettingsOn() {
        HengeConfiguration configuration = new HengeSettings(Map.of("nimbus.slo.goal", "minimum", "nimbus.slo.minimum.share", 0.5,
            "nimbus.slo.others.bound", 0.3, "nimbus.slo.settle.secs", 10,
            "nimbus.slo.remedies", List.of("place", "timeout"))).configuration();
        assertEquals(Goal.MINIMUM, configuration.goal());
        assertEquals(0.5, configuration.minimumShare());
        assertEquals(0.3, configuration.othersBound());
        assertEquals(10_000, configuration.settleMs());
        assertEquals(50_000, configuration.timeoutMs());
        assertEquals(Set.of(RemedyKind.PLACE, RemedyKind.TIMEOUT), configuration.remedies());
    }

    @Test
    void shouldWarnUnlessToldToRefuse() {
        assertFalse(new HengeSettings().refuses());
        assertTrue(new HengeSettings(Map.of("nimbus.slo.admission", "refuse")).refuses());
    }

    @Test
    void shouldRefuseABadValue() {
        Map<String, Object> bad = Map.of("nimbus.slo.goal", "fairness", "nimbus.slo.minimum.share", 1.5, "nimbus.slo.others.bound", -0.1,
            "nimbus.slo.settle.secs", 2, "nimbus.slo.admission", "pray", "nimbus.slo.remedies", List.of("place", "hope"));
        bad.forEach((key, value) -> {
            String message = assertThrows(IllegalArgumentException.class, () -> new HengeSettings(Map.of(key, value))).getMessage();
            assertTrue(message.startsWith(key + " is '" + value + "', but must be "), message);
        });
    }
}
