package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.core.pressure.BackPressure;
import io.eyewall.core.pressure.ExecutorQueue;
import io.eyewall.core.pressure.PressureReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PressureAddressTest {

    private static final Map<String, Set<String>> RECEIVERS = Map.of("orders", Set.of("price"), "price", Set.of());

    @Test
    void shouldSayWhoHoldsWhomAndSinceWhen() throws Exception {
        BackPressure pressure = BackPressure.of(List.of(new ExecutorQueue("price", 5, 2, "host-1", 6700, 0.98, 34, 192_400),
            new ExecutorQueue("orders", 1, 1, "host-1", 6700, 0, 0, 0)), RECEIVERS);

        assertEquals("{\"topologyId\":\"orders-1-1\",\"timeMs\":1763993600000,\"unavailable\":null,"
            + "\"culprits\":[{\"component\":\"price\",\"holds\":[\"orders\"],\"sinceMs\":1763993407600,\"forMs\":192400,"
            + "\"executors\":[{\"id\":\"[5-6]\",\"host\":\"host-1\",\"port\":6700,\"queueLoad\":0.98,\"overflow\":34,"
            + "\"sinceMs\":1763993407600}]}],"
            + "\"components\":[{\"id\":\"orders\",\"state\":\"held\",\"executors\":1,\"fullExecutors\":0,\"queueLoad\":0.0},"
            + "{\"id\":\"price\",\"state\":\"culprit\",\"executors\":1,\"fullExecutors\":1,\"queueLoad\":0.98}],"
            + "\"silentWorkers\":{\"host-2:6700\":\"it has ended\"}}", json(new PressureReader.Reading("",
                new TreeMap<>(Map.of("host-2:6700", "it has ended")), pressure)));
    }

    @Test
    void shouldSayWhyNobodyCanBeAsked() throws Exception {
        assertEquals("{\"topologyId\":\"orders-1-1\",\"timeMs\":1763993600000,\"unavailable\":\"It has no workers yet.\",\"culprits\":[],"
            + "\"components\":[],\"silentWorkers\":{}}", json(new PressureReader.Reading("It has no workers yet.", new TreeMap<>(),
                BackPressure.of(List.of(), Map.of()))));
    }

    private static String json(PressureReader.Reading reading) throws Exception {
        return new ObjectMapper().writeValueAsString(PressureAddress.json("orders-1-1", 1_763_993_600_000L, reading));
    }
}
