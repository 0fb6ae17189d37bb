package io.eyewall.core.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.generated.Assignment;
import org.junit.jupiter.api.Test;

class AnnouncementNodesTest {

    @Test
    void shouldMakeTheNodeOfATopologyBeforeItsWorkersLearnOfTheirAssignment() {
        List<String> calls = new ArrayList<>();
        IStormClusterState state = (IStormClusterState) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {IStormClusterState.class}, (proxy, method, arguments) -> {
                calls.add(method.getName() + Arrays.toString(arguments));
                return null;
            });
        Assignment assignment = new Assignment("code");

        AnnouncementNodes.setAssignment(state, "topology-1", assignment, Map.of("a", 1));

        assertEquals(List.of("setupBackpressure[topology-1, {a=1}]", "setAssignment[topology-1, " + assignment + ", {a=1}]"), calls);
    }

    /** Only a cluster whose ZooKeeper checks permissions shows the difference, so the call is looked for in the woven class. */
    @Test
    void shouldBeCalledByNimbus() throws IOException {
        try (InputStream woven = Nimbus.class.getResourceAsStream("Nimbus.class")) {
            assertTrue(new String(woven.readAllBytes(), StandardCharsets.ISO_8859_1).contains("AnnouncementNodes"));
        }
    }
}
