package io.eyewall.client.substitute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.client.seam.Groupings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.daemon.GrouperFactory;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.JavaObject;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.grouping.ShuffleGrouping;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SingleTaskGroupingTest {

    private static final LoadAwareCustomStreamGrouping UPSTREAM =
        new GrouperFactory.BasicLoadAwareCustomStreamGrouping(new ShuffleGrouping());
    private static final List<Object> WORD = List.of("word");

    static Stream<Grouping> shuffles() {
        return Stream.of(Grouping.shuffle(new NullStruct()), Grouping.local_or_shuffle(new NullStruct()), Grouping.none(new NullStruct()));
    }

    static Stream<Grouping> others() {
        return Stream.of(Grouping.fields(List.of("word")), Grouping.fields(List.of()), Grouping.all(new NullStruct()),
            Grouping.direct(new NullStruct()), Grouping.custom_object(new JavaObject("a.b.C", List.of())),
            Grouping.custom_serialized(new byte[0]));
    }

    @ParameterizedTest
    @MethodSource("shuffles")
    void shouldChooseTheOneTaskWhateverItsLoad(Grouping grouping) {
        Groupings.Request request = SingleTaskGrouping.applyTo(request(grouping, List.of(7)));
        LoadAwareCustomStreamGrouping only = assertInstanceOf(SingleTaskGrouping.class, request.upstreamGrouping());

        only.refreshLoad(loadOf(7));

        assertEquals(List.of(7), only.chooseTasks(1, WORD));
        assertEquals(request(grouping, List.of(7), only), request);
    }

    @ParameterizedTest
    @MethodSource("shuffles")
    void shouldLeaveAChoiceAlone(Grouping grouping) {
        Groupings.Request request = request(grouping, List.of(7, 8));

        assertSame(request, SingleTaskGrouping.applyTo(request));
    }

    @ParameterizedTest
    @MethodSource("others")
    void shouldLeaveAloneWhatMayLookAtTheTuple(Grouping grouping) {
        Groupings.Request request = request(grouping, List.of(7));

        assertSame(request, SingleTaskGrouping.applyTo(request));
    }

    @Test
    void shouldKeepItsTaskWhateverBecomesOfTheLists() {
        List<Integer> targets = new ArrayList<>(List.of(7));
        LoadAwareCustomStreamGrouping only =
            SingleTaskGrouping.applyTo(request(Grouping.shuffle(new NullStruct()), targets)).upstreamGrouping();

        targets.set(0, 8);

        List<Integer> chosen = only.chooseTasks(1, WORD);
        assertThrows(UnsupportedOperationException.class, () -> chosen.add(9));
        assertEquals(List.of(7), only.chooseTasks(1, WORD));
    }

    private static LoadMapping loadOf(int task) {
        LoadMapping loads = new LoadMapping();
        loads.setLocal(Map.of(task, 1.0));
        return loads;
    }

    private static Groupings.Request request(Grouping grouping, List<Integer> targetTasks) {
        return request(grouping, targetTasks, UPSTREAM);
    }

    private static Groupings.Request request(Grouping grouping, List<Integer> targetTasks, LoadAwareCustomStreamGrouping upstream) {
        return new Groupings.Request(null, "words", "default", new Fields("word"), grouping, targetTasks, Map.of(), upstream);
    }
}
