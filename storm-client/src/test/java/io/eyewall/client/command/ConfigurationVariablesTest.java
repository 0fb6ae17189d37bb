package io.eyewall.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;

class ConfigurationVariablesTest {

    private final Set<String> defaults = Utils.readDefaultConfig().keySet();
    private final ConfigurationVariables variables = new ConfigurationVariables(ConfigValidation.getConfigClasses(), defaults);

    @Test
    void shouldSetKeysOfEveryKindOfValue() {
        assertEquals(Map.of(
                "nimbus.seeds", List.of("nimbus-0", "nimbus-1"),
                "storm.zookeeper.servers", List.of("zookeeper"),
                "storm.zookeeper.port", 2182,
                "storm.messaging.netty.buffer_size", 1_000_000,
                "topology.acking", "acker",
                "storm.local.hostname", "0815",
                "worker.childopts", "-Xlog:gc*:a, b -Da=[c]",
                "topology.wake.on.arrival", false,
                "topology.kryo.register", List.of(Map.of("a.B", "c.D"))),
            variables.values(Map.of(
                "STORM_NIMBUS_SEEDS", "nimbus-0, nimbus-1",
                "STORM_ZOOKEEPER_SERVERS", "[zookeeper]",
                "STORM_ZOOKEEPER_PORT", "2182",
                "STORM_MESSAGING_NETTY_BUFFER_SIZE", "1000000",
                "STORM_TOPOLOGY_ACKING", "acker",
                "STORM_LOCAL_HOSTNAME", "0815",
                "STORM_WORKER_CHILDOPTS", "-Xlog:gc*:a, b -Da=[c]",
                "STORM_TOPOLOGY_WAKE_ON_ARRIVAL", "false",
                "STORM_TOPOLOGY_KRYO_REGISTER", "[{a.B: c.D}]")));
    }

    @Test
    void shouldLeaveOtherVariablesAlone() {
        assertEquals(Map.of(), variables.values(Map.of("PATH", "/bin", "STORM_CONF_FILE", "storm.yaml", "STORMY", "yes")));
    }

    @Test
    void shouldNameTheVariableThatSetsNoKey() {
        for (String wrong : List.of("STORM_NIMBUS_SEED", "STORM_nimbus_seeds", "STORM_STORM_ZOOKEEPER_PORT", "STORM_")) {
            String message = assertThrows(UnusableConfigurationException.class, () -> variables.values(Map.of(wrong, "a"))).getMessage();
            assertTrue(message.startsWith("the variable " + wrong + " sets no key. Write a key in capitals"), message);
        }
    }

    @Test
    void shouldNameTheVariableWhoseValueIsNotYaml() {
        String message = assertThrows(UnusableConfigurationException.class,
            () -> variables.values(Map.of("STORM_NIMBUS_SEEDS", "[a, b"))).getMessage();

        assertTrue(message.startsWith("the variable STORM_NIMBUS_SEEDS is not YAML: "), message);
    }

    @Test
    void shouldHaveOneVariableForEachKey() {
        Set<String> keys = new TreeSet<>(defaults);
        ConfigValidation.getConfigClasses().stream().flatMap(type -> Stream.of(type.getFields()))
            .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == String.class)
            .forEach(field -> keys.add(value(field)));

        Map<String, List<String>> byVariable = keys.stream().collect(Collectors.groupingBy(ConfigurationVariables::variable));
        byVariable.values().removeIf(same -> same.size() == 1);

        assertEquals(Map.of(), byVariable);
    }

    private static String value(Field field) {
        try {
            return (String) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
