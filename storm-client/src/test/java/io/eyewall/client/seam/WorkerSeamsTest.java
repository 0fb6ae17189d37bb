package io.eyewall.client.seam;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerSeamsTest {

    private final List<String> order = new ArrayList<>();

    /** A loop that a feature adds to would otherwise be lost if the feature that starts the executors joins after it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStartExecutorsWithinWhatOtherFeaturesAddWhicheverJoinsFirst(boolean starterFirst) {
        WorkerFeature starter = feature(seams -> seams.startExecutorsBy(next -> request -> {
            order.add("start");
            return null;
        }));
        WorkerFeature around = feature(seams -> seams.executorLoops(next -> request -> {
            order.add("around");
            return next.start(request);
        }));

        WorkerSeams.of(starterFirst ? List.of(starter, around) : List.of(around, starter), new StormTopology(), new HashMap<>())
            .executorLoops().start(new ExecutorLoops.Request(null, () -> null, true, null, 1, false, false, ""));

        assertEquals(List.of("around", "start"), order);
    }

    private static WorkerFeature feature(Consumer<WorkerSeams.Builder> join) {
        return new WorkerFeature() {
            @Override
            public String name() {
                return "feature";
            }

            @Override
            public void join(WorkerSeams.Builder seams, Map<String, Object> topologyConf) {
                join.accept(seams);
            }
        };
    }
}
