package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.storm.daemon.supervisor.LinkAttack;
import org.apache.storm.localizer.LocalizerAttack;
import org.junit.jupiter.api.Test;

/** Local names of blobs, where a Supervisor makes links. */
class LinksCve202682427Test {

    private static final String REFUSED = "the local name '../victim', which is not the name of a file";

    @Test
    void shouldLinkNothingOutsideTheWorkersDirectory() throws Exception {
        assertEquals(true, Upstream.attackedBy(LinkAttack.class));

        IOException refused = assertThrows(IOException.class, new LinkAttack()::call);
        assertTrue(refused.getMessage().contains(REFUSED), refused.getMessage());
    }

    @Test
    void shouldLinkNothingOutsideTheTopologysDirectory() throws Exception {
        assertEquals(true, Upstream.attackedBy(LocalizerAttack.class));

        Exception refused = assertThrows(Exception.class, new LocalizerAttack()::call);
        assertTrue(refused.toString().contains(REFUSED), refused::toString);
    }
}
