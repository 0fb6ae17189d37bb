package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

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
    private final Groupings next = request -> {
        shuffles.add(request);
        return request.upstreamGrouping();
    };
    private final Groupings.Request request = request(Grouping.local_or_shuffle(new NullStruct()));
    private final LocalityGrouping grouping = new LocalityGrouping(request, next, localTasks::get);

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
    void shouldChooseAmongTheTasksOfTheSlotWhereAProcessIsOneOfSeveral() {
        SlotGroupings groupings = new SlotGroupings();
        assertNull(groupings.of(next).grouping(request), "a worker by itself has upstream's");

        groupings.sendsOver(new SlotTransport(localTasks::get));
        LocalityGrouping ofSlot = assertInstanceOf(LocalityGrouping.class, groupings.of(next).grouping(request));
        localTasks.set(Set.of(8, 9));
        assertEquals(Set.of(8, 9), chosen(ofSlot));

        assertNull(groupings.of(next).grouping(request(Grouping.shuffle(new NullStruct()))), "other groupings stay upstream's");
    }

    @Test
    void shouldStayAsItIsWhenOtherTasksComeOrGo() {
        localTasks.set(Set.of(2, 7));
        assertEquals(Set.of(7), chosen());
        assertEquals(1, shuffles.size(), "the shuffle knows the loads of its tasks");
    }

    @Test
    void shouldNotChooseAmongOne() {
        assertInstanceOf(SingleTaskGrouping.class, shuffles.get(0).upstreamGrouping());
    }

    private static Groupings.Request request(Grouping declared) {
        return new Groupings.Request(null, "words", "default", new Fields("word"), declared, List.of(9, 8, 7), CONF, null);
    }

    private Set<Integer> chosen() {
        return chosen(grouping);
    }

    private static Set<Integer> chosen(LocalityGrouping by) {
        Set<Integer> chosen = new TreeSet<>();
        for (int tuple = 0; tuple < TUPLES; tuple++) {
            chosen.addAll(by.chooseTasks(1, List.of("word")));
        }
        return chosen;
    }
}
