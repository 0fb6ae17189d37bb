package io.eyewall.integration.upstreamtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.integration.upstreamtests.KnownFailures.Cause;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownFailuresTest {

    @Test
    void shouldFindAnInvocationWhenItsMethodIsListed() {
        KnownFailures known = KnownFailures.parse(List.of("# A comment.", "", "root    A#a  expects another user", "flaky   B#b  waits",
            "always C#c is wrong"));

        assertEquals(Cause.ROOT, known.cause("A#a"));
        assertEquals(Cause.FLAKY, known.cause("B#b(int, boolean)[2]"));
        assertEquals(Cause.ALWAYS, known.cause("C#c"));
        assertNull(known.cause("A#aa"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"root A#a", "A#a expects another user", "flaky A waits a second", "never A#a now and then"})
    void shouldNameTheLineWhenSomethingIsMissing(String line) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> KnownFailures.parse(List.of(line)));

        assertEquals("In the list of known failures: '" + line
            + "': expected 'always', 'root', 'flaky' or 'safer', a test as class#method, and the reason.", e.getMessage());
    }

    @Test
    void shouldNameTheTestWhenItIsListedTwice() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
            () -> KnownFailures.parse(List.of("root A#a expects another user", "flaky A#a waits a second")));

        assertEquals("In the list of known failures: A#a is there twice.", e.getMessage());
    }
}
