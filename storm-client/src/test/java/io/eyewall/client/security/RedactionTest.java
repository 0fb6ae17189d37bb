package io.eyewall.client.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    @ParameterizedTest
    @ValueSource(strings = {"db.password", "ui.https.keystore.password", "KEYSTORE_PASSWD", "storm.zookeeper.topology.auth.payload",
        "storm.messaging.fabric.secret", "aws.secretKey", "kafka.sasl.jaas.config", "s3.access.key", "api_key", "github.token",
        "service.credentials", "topology.tuple.serializer.blowfish.key"})
    void shouldHideWhatHasASecretsName(String key) {
        assertEquals(Map.of(key, Redaction.MASK), Redaction.usual().mask(Map.of(key, "x")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"topology.auto-credentials", "nimbus.credential.renewers.classes", "java.security.auth.login.config",
        "topology.acker.executors", "storm.group.mapping.service", "keys.of.interest", "topology.max.spout.pending", "tokens.per.sec"})
    void shouldShowTheRest(String key) {
        assertEquals(Map.of(key, "x"), Redaction.usual().mask(Map.of(key, "x")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '$', value = {
        "-Xmx1g -Djavax.net.ssl.keyStorePassword=x1 -Da=b | -Xmx1g -Djavax.net.ssl.keyStorePassword=***** -Da=b",
        "jdbc:postgresql://h/d?user=u&password=x1&ssl=true  | jdbc:postgresql://h/d?user=u&password=*****&ssl=true",
        "https://user:x1@host/path                          | https://user:*****@host/path",
        "Module required username=\"u\" password=\"x 1\";   | Module required username=\"u\" password=*****;",
        "{\"a\":1,\"db.password\":\"x1\"}                   | {\"a\":1,\"db.password\":\"*****\"}",
        "https://host:8080/path                             | https://host:8080/path",
        "-Dgithub.token=x1 -Dtokens.per.sec=5 -Daccess_key=x | -Dgithub.token=***** -Dtokens.per.sec=5 -Daccess_key=*****",
        "no secrets here                                    | no secrets here"})
    void shouldHideWhatIsAssignedWithinTexts(String text, String masked) {
        assertEquals(masked, Redaction.usual().maskText(text));
    }

    @Test
    void shouldLookIntoMapsAndLists() {
        assertEquals(Map.of("a", List.of(Map.of("password", Redaction.MASK), 1, "secret=*****")),
            Redaction.usual().mask(Map.of("a", List.of(Map.of("password", "x"), 1, "secret=x"))));
    }

    @Test
    void shouldHideDeclaredKeys() {
        Redaction redaction = Redaction.of(Map.of("storm.redacted.keys", List.of("pin")));

        assertEquals(Map.of("pin", Redaction.MASK, "pins", 2), redaction.mask(Map.of("pin", 1234, "pins", 2)));
        assertEquals(Map.of("pin", Redaction.MASK, "code", Redaction.MASK),
            redaction.and(Map.of("storm.redacted.keys", List.of("code"))).mask(Map.of("pin", 1234, "code", 5)));
        assertEquals("*****", ((Map<?, ?>) JSONValue.parse(
            Redaction.usual().maskText("{\"storm.redacted.keys\":[\"pin\"],\"pin\":1234}"))).get("pin"));
        assertEquals(Map.of("pin", 1234), Redaction.of(Map.of("storm.redacted.keys", "pin")).mask(Map.of("pin", 1234)));
    }

    @Test
    void shouldKeepFlagsAndWhatIsNotSet() {
        Map<String, Object> conf = new LinkedHashMap<>();
        conf.put("password.required", true);
        conf.put("password", null);
        conf.put("secret", "");

        assertEquals(conf, Redaction.usual().mask(conf));
        assertEquals(List.copyOf(conf.keySet()), List.copyOf(Redaction.usual().mask(conf).keySet()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"password", "password.", "secret ", "password=\"", "://", "://a:", "=", "x", "password:password"})
    void shouldNotBeHeldUpByALongText(String part) {
        String text = part.repeat(200_000);
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> Redaction.usual().maskText(text));
    }
}
