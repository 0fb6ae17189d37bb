package io.eyewall.client.seam.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.eyewall.client.seam.Executors;
import io.eyewall.client.seam.ReceiveQueues;
import io.eyewall.client.seam.TupleWires;
import io.eyewall.client.seam.WorkerChange;
import io.eyewall.client.seam.WorkerSeams;
import org.junit.jupiter.api.Test;

class SeamEntryTest {

    @Test
    void shouldReturnUpstreamsObjectsWhenAWorkerHasNotOpenedItsSeams() {
        WorkerSeams seams = SeamEntry.of("never-started", 6700);

        assertSame(ReceiveQueues.UPSTREAM, seams.receiveQueues());
        assertSame(Executors.UPSTREAM, seams.executors());
        assertSame(WorkerChange.UPSTREAM, seams.workerChange());
        assertSame(TupleWires.UPSTREAM, seams.tupleWires());
        assertNotNull(SeamEntry.of(null, null), "of a context that was put together by hand");
    }

    @Test
    void shouldStopAWorkerThatHasStartedWithoutItsSeams() {
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> SeamEntry.ofStarted("words-1", 6700));

        assertEquals("The worker of words-1 on port 6700 has started without its seams: storm-client was woven from an upstream version in"
            + " which a worker starts differently.", e.getMessage());
    }
}
