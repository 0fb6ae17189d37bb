package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.eyewall.client.seam.Groupings;
import io.eyewall.client.substitute.SingleTaskGrouping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

class LocalityGroupingTest {

    private static final Map<String, Object> CONF = Map.of(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);
    private static final int TUPLES = 12;

    private final AtomicReference<Set<Integer>> localTasks = new AtomicReference<>(Set.of(1, 7));
    private final List<Groupings.Request> shuffles = new ArrayList<>();
    private final LocalityGrouping grouping = new LocalityGrouping(
        new Groupings.Request(null, "words", "default", new Fields("word"), Grouping.local_or_shuffle(new NullStruct()), List.of(9, 8, 7),
            CONF, null),
        request -> {
            shuffles.add(request);
            return request.upstreamGrouping();
        }, localTasks::get);

    @Test
    void shouldChooseAmongTheTasksThatItsWorkerHasNow() {
        assertEquals(Set.of(7), chosen());

        localTasks.set(Set.of(1, 7, 8));
        assertEquals(Set.of(7, 8), chosen());

        localTasks.set(Set.of(1));
        assertEquals(Set.of(7, 8, 9), chosen());
        assertEquals(List.of(List.of(7), List.of(7, 8), List.of(7, 8, 9)), shuffles.stream().map(Groupings.Request::targetTasks).toList());
    }

    @Test
    void shouldNotChooseAmongOne() {
        assertInstanceOf(SingleTaskGrouping.class, shuffles.get(0).upstreamGrouping());
    }

    private Set<Integer> chosen() {
        Set<Integer> chosen = new TreeSet<>();
        for (int tuple = 0; tuple < TUPLES; tuple++) {
            chosen.addAll(grouping.chooseTasks(1, List.of("word")));
        }
        return chosen;
    }
}
