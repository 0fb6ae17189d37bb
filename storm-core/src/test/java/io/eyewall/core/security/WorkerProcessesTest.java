package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.storm.daemon.supervisor.WorkerOfAnother;
import org.junit.jupiter.api.Test;

/** Whether a Supervisor sees the processes of workers whose topologies belong to another user than its own. */
class WorkerProcessesTest {

    @Test
    void shouldSeeAWorkerOfATopologyOfAnotherUser() throws Exception {
        assertEquals(true, Upstream.attackedBy(WorkerOfAnother.class), "upstream's Supervisor takes it for dead");

        assertEquals(false, new WorkerOfAnother().call());
    }
}
