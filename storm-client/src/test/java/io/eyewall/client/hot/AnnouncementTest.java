package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AnnouncementTest {

    @Test
    void shouldWriteRangesWhenTasksFollowEachOther() {
        assertEquals("eyewall 2\n1-3 7\n\n9-10\n\n5",
            new String(new Announcement(Set.of(3, 7, 1, 2), Set.of(), Set.of(9, 10), false, false, 5).encode(), StandardCharsets.US_ASCII));
    }

    @Test
    void shouldReadWhatItKnowsWhenAnotherVersionHasWritten() {
        assertEquals(new Announcement(Set.of(1), Set.of(2), Set.of(3), true, false, 0),
            Announcement.decode("eyewall 1\n1\n2\n3\nasks".getBytes(StandardCharsets.US_ASCII)));
        assertEquals(new Announcement(Set.of(1), Set.of(), Set.of(), false, false, 7),
            Announcement.decode("eyewall 3\n1\n\n\n\n7\nmore".getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void shouldReadNothingThatIsNoAnnouncement() {
        assertNull(Announcement.decode("eyewall 2\n1\n2\n3\n".getBytes(StandardCharsets.US_ASCII)));
        assertNull(Announcement.decode("storm 2\n1\n2\n3\n\n0".getBytes(StandardCharsets.US_ASCII)));
        assertNull(Announcement.decode(new byte[8]));
        assertNull(Announcement.decode("eyewall 2\n1\n-1\n3\n\n0".getBytes(StandardCharsets.US_ASCII)));
    }

    @Property
    void shouldReadWhatWasWrittenWhateverTheTasks(@ForAll Set<@IntRange(min = 1, max = 40) Integer> serves,
            @ForAll Set<@IntRange(min = 1, max = 40) Integer> holds, @ForAll Set<@IntRange(min = 1, max = 40) Integer> awaits,
            @ForAll boolean asks, @ForAll boolean rests, @ForAll long departure) {
        Announcement announcement = new Announcement(serves, holds, awaits, asks, rests, departure);
        assertEquals(announcement, Announcement.decode(announcement.encode()));
    }
}
