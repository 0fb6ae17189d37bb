package io.eyewall.core.reference;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class KeyReferenceTest {

    @Test
    void shouldDescribeEveryKeyOfAFeatureOnTheClassPath() {
        String page = KeyReference.page();
        assertTrue(page.contains("## Worker engine"), page);
        assertTrue(page.contains("| `topology.wake.on.arrival` | `true` | true or false | "), page);
        assertTrue(page.contains("| `topology.acking` | `ledger` | ledger or acker | "), page);
    }
}
