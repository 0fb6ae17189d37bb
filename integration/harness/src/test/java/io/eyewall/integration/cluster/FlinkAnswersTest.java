package io.eyewall.integration.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlinkAnswersTest {

    @Test
    void shouldFindTheOnlyJob() {
        assertEquals("00ab", FlinkAnswers.job("{\"jobs\":[{\"id\":\"00ab\",\"status\":\"RUNNING\"}]}"));
    }

    @Test
    void shouldReadTheCounts() {
        assertEquals(7, FlinkAnswers.completedCheckpoints(
            "{\"counts\":{\"restored\":0,\"total\":9,\"in_progress\":1,\"completed\":7,\"failed\":1},\"summary\":{},\"history\":[]}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"errors\":[\"Not found\"]}", "[]", "{\"counts\":{\"completed\":\"many\",\"failed\":0}}", "{", ""})
    void shouldShowAnAnswerThatItDoesNotUnderstand(String answer) {
        for (String message : new String[] {
            assertThrows(ClusterException.class, () -> FlinkAnswers.completedCheckpoints(answer)).getMessage(),
            assertThrows(ClusterException.class, () -> FlinkAnswers.job(answer)).getMessage()}) {
            assertTrue(message.startsWith("Flink's JobManager ") && message.contains("returned") && message.contains(answer), message);
        }
    }
}
