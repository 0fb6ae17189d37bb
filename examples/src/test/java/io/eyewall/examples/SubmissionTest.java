package io.eyewall.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.examples.configuration.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SubmissionTest {

    static List<ExampleTopology> topologies() {
        return ExampleTopologies.all();
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void shouldSetExecutorsAndTasksOfEachComponentWhenConfigured(ExampleTopology example) {
        StormTopology topology = Submission.of(example, Map.of("eyewall.parallelism", 3, "eyewall.tasks", 6), Map.of()).topology();

        List<ComponentCommon> components = new ArrayList<>(topology.get_bolts().values().stream().map(bolt -> bolt.get_common()).toList());
        components.addAll(topology.get_spouts().values().stream().map(spout -> spout.get_common()).toList());
        for (ComponentCommon component : components) {
            assertEquals(3, component.get_parallelism_hint());
            assertTrue(component.get_json_conf().contains("\"topology.tasks\":6"), component.get_json_conf());
        }
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void shouldHaveAUniqueNameAndAMainClassWhenRegistered(ExampleTopology example) throws ReflectiveOperationException {
        Set<String> names = new HashSet<>();
        ExampleTopologies.all().forEach(each -> assertTrue(names.add(each.name()), each.name()));

        assertEquals(example, ExampleTopologies.find(example.name()).orElseThrow());
        example.getClass().getMethod("main", String[].class);
    }

    @Test
    void shouldPreferTheNumbersOfAComponentWhenConfigured() {
        StormTopology topology = Submission.of(new ProcessingTopology(),
            Map.of("eyewall.parallelism", 2, "eyewall.parallelism.filter", 4, "eyewall.tasks.filter", 8), Map.of()).topology();

        ComponentCommon filter = topology.get_bolts().get("filter").get_common();
        assertEquals(4, filter.get_parallelism_hint());
        assertTrue(filter.get_json_conf().contains("\"topology.tasks\":8"), filter.get_json_conf());
        assertEquals(2, topology.get_bolts().get("join-1").get_common().get_parallelism_hint());
    }

    @Test
    void shouldNameTheComponentsWhenAnOverrideNamesAnUnknownOne() {
        ConfigurationException failure = assertThrows(ConfigurationException.class,
            () -> Submission.of(new ChainTopology(), Map.of("eyewall.work.ms.middle", 1), Map.of()));

        assertEquals("eyewall.work.ms.middle names the component 'middle', but the components of chain are output, spout, stage-1, stage-2",
            failure.getMessage());
    }

    @Test
    void shouldUseTheBuiltInTextWhenNoInputIsConfigured() {
        String input = Submission.of(new LinearTopology(), Map.of(), Map.of()).configuration().get("eyewall.input").toString();

        assertTrue(input.endsWith("data/europarl.txt"), input);
        assertTrue(Files.isReadable(Path.of(input)), input);
    }

    @Test
    void shouldNameTheFileWhenTheInputIsMissing() {
        ConfigurationException failure = assertThrows(ConfigurationException.class,
            () -> Submission.of(new LinearTopology(), Map.of("eyewall.input", "/no/such/file"), Map.of()));

        assertEquals("eyewall.input is '/no/such/file', but must be a readable file", failure.getMessage());
    }

    @Test
    void shouldLimitPendingMessagesOnlyWhenNoLimitIsConfigured() {
        String key = Config.TOPOLOGY_MAX_SPOUT_PENDING;

        assertEquals(1000, Submission.of(new ChainTopology(), Map.of(), Map.of()).configuration().get(key));
        assertEquals(5, Submission.of(new ChainTopology(), Map.of(key, 5), Map.of(key, 7)).configuration().get(key));
        assertFalse(Submission.of(new ChainTopology(), Map.of(), Map.of(key, 7)).configuration().containsKey(key));
    }

    @Test
    void shouldAdoptOnlyItsOwnKeysFromTheCluster() {
        Map<String, Object> cluster = new HashMap<>();
        cluster.put("eyewall.seed", 4);
        cluster.put("eyewall.work.ops.output", 5);
        cluster.put("storm.local.dir", "elsewhere");

        Map<String, Object> configuration = Submission.of(new ChainTopology(), Map.of(), cluster).configuration();

        assertEquals(4, configuration.get("eyewall.seed"));
        assertEquals(5, configuration.get("eyewall.work.ops.output"));
        assertFalse(configuration.containsKey("storm.local.dir"));
    }
}
