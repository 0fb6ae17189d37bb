package io.eyewall.examples.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.examples.operator.UserAction.Columns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserActionTest {

    @Test
    void shouldReadTheConfiguredColumnsWhenCommasSeparateThem() throws MalformedRecordException {
        UserAction action = UserAction.parse("4186585,33556,2009-01-06T05:15:07,40.0423,116.61,0,0", new Columns(1, 2));

        assertEquals(new UserAction("33556", 1_231_218_907), action);
    }

    @Test
    void shouldReadTheConfiguredColumnsWhenTabsSeparateThem() throws MalformedRecordException {
        UserAction action = UserAction.parse("Budget, final vote\t2009-01-06\tOn the other hand, ...", new Columns(0, 1));

        assertEquals(new UserAction("Budget, final vote", 1_231_200_000), action);
    }

    @Test
    void shouldReadSecondsWhenTheTimeIsANumber() throws MalformedRecordException {
        assertEquals(386_640, UserAction.parse("m_1932,386640,41", new Columns(0, 1)).epochSec());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "a,b | eyewall.rtac.time.column",
        "a,b,yesterday | eyewall.rtac.time.column",
        "a,b,2009-13-01 | 2009-13-01",
    })
    void shouldNameTheProblemWhenALineIsMalformed(String line, String part) {
        String message = assertThrows(MalformedRecordException.class, () -> UserAction.parse(line, new Columns(0, 2))).getMessage();

        assertTrue(message.contains(part), message);
        assertTrue(message.contains(line), message);
    }
}
