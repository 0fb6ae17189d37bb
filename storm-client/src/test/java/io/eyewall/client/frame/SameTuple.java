package io.eyewall.client.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.storm.tuple.Tuple;

/** Compares tuples value by value, with the classes of the values. */
final class SameTuple {

    private SameTuple() {
    }

    static void assertSameTuple(Tuple expected, Tuple read) {
        assertEquals(expected.getSourceTask(), read.getSourceTask());
        assertEquals(expected.getSourceComponent(), read.getSourceComponent());
        assertEquals(expected.getSourceStreamId(), read.getSourceStreamId());
        assertEquals(expected.getMessageId(), read.getMessageId());
        assertSameValue(expected.getValues(), read.getValues());
    }

    private static void assertSameValue(Object expected, Object read) {
        assertEquals(expected == null ? null : expected.getClass(), read == null ? null : read.getClass());
        if (expected instanceof byte[] bytes) {
            assertArrayEquals(bytes, (byte[]) read);
        } else if (expected instanceof List<?> list) {
            assertEquals(list.size(), ((List<?>) read).size());
            for (int i = 0; i < list.size(); i++) {
                assertSameValue(list.get(i), ((List<?>) read).get(i));
            }
        } else {
            assertEquals(expected, read);
        }
    }
}
