package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.MALLORY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.WorkerMetricList;
import org.apache.storm.generated.WorkerMetrics;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.transport.TMemoryBuffer;
import org.apache.storm.thrift.transport.TTransportException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What a client learns that Nimbus refuses an operation for which its Thrift interface declares no exception. */
class RefusalsTest {

    private static final int OPERATIONS = 6;
    private static final int BUFFER_BYTES = 512;

    @AfterAll
    static void close() throws Exception {
        Upstream.attackedBy(Tenants.Close.class);
        new Tenants.Close().call();
    }

    @Test
    void shouldReachTheClient() throws Exception {
        @SuppressWarnings("unchecked")
        Map<String, String> upstreams = (Map<String, String>) Upstream.attackedBy(Refused.class);
        assertEquals(OPERATIONS, upstreams.size(), upstreams::toString);
        assertEquals("accepted", upstreams.remove("createStateInZookeeper"));
        upstreams.forEach((operation, outcome) ->
            assertEquals("TApplicationException: Internal error processing " + operation, outcome));

        Map<String, String> ours = new Refused().call();
        assertEquals(OPERATIONS, ours.size(), ours::toString);
        ours.forEach((operation, outcome) -> assertTrue(outcome.startsWith("WrappedAuthorizationException: "), operation + ": " + outcome));
        assertTrue(ours.get("setLogConfig").contains("setLogConfig"), ours::toString);
    }

    /** What becomes of the operations that somebody else than the owner calls over Thrift, by operation. */
    static final class Refused implements Callable<Map<String, String>> {

        private final Map<String, String> outcomes = new TreeMap<>();

        @Override
        public Map<String, String> call() throws Exception {
            Tenants.submit(ALICE, "refusing", null, Map.of(), Tenants.topology());
            Tenants.create(ALICE, "refused", "of alice");
            String id = Tenants.id("refusing");
            LogConfig none = new LogConfig();
            none.set_named_logger_level(Map.of());
            NodeInfo nowhere = new NodeInfo("nowhere", Set.of(1L));
            attempt("getLogConfig", nimbus -> nimbus.getLogConfig(id));
            attempt("setLogConfig", nimbus -> nimbus.setLogConfig(id, none));
            attempt("setWorkerProfiler",
                nimbus -> nimbus.setWorkerProfiler(id, new ProfileRequest(nowhere, ProfileAction.JPROFILE_STOP)));
            attempt("getComponentPendingProfileActions",
                nimbus -> nimbus.getComponentPendingProfileActions(id, "words", ProfileAction.JPROFILE_STOP));
            attempt("processWorkerMetrics",
                nimbus -> nimbus.processWorkerMetrics(new WorkerMetrics(id, 1, "nowhere", new WorkerMetricList(List.of()))));
            attempt("createStateInZookeeper", nimbus -> nimbus.createStateInZookeeper("refused"));
            return outcomes;
        }

        private void attempt(String operation, Operation called) throws Exception {
            Nimbus.Processor<Nimbus.Iface> server = new Nimbus.Processor<>(Tenants.nimbus());
            TMemoryBuffer response = new TMemoryBuffer(BUFFER_BYTES);
            TMemoryBuffer request = new TMemoryBuffer(BUFFER_BYTES) {
                @Override
                public void flush() throws TTransportException {
                    try {
                        server.process(new TBinaryProtocol(this), new TBinaryProtocol(response));
                    } catch (TException e) {
                        throw new TTransportException(e);
                    }
                }
            };
            outcomes.put(operation, Tenants.as(MALLORY, () -> {
                try {
                    called.on(new Nimbus.Client(new TBinaryProtocol(response), new TBinaryProtocol(request)));
                    return "accepted";
                } catch (TException e) {
                    return e.getClass().getSimpleName() + ": " + e.getMessage();
                }
            }));
        }
    }

    /** What a client calls. */
    @FunctionalInterface
    private interface Operation {

        void on(Nimbus.Iface nimbus) throws TException;
    }
}
