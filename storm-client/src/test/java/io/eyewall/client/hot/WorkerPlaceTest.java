package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class WorkerPlaceTest {

    @Test
    void shouldReadItsNameWhenTheSupervisorsHasDashes() {
        WorkerPlace place = new WorkerPlace("3f6a-22-10.0.0.1", 6700);
        assertEquals("3f6a-22-10.0.0.1-6700", place.name());
        assertEquals(place, WorkerPlace.parse(place.name()));
        assertEquals(place, WorkerPlace.of(place.nodeInfo()));
    }
}
