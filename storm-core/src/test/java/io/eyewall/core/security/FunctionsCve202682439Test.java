package io.eyewall.core.security;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.daemon.drpc.BlockingOutstandingRequest;
import org.apache.storm.daemon.drpc.DRPC;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** What a DRPC server keeps for names that anybody may make up. */
class FunctionsCve202682439Test {

    @Test
    void shouldKeepNoQueueOfAFunctionThatNobodyCalls() throws Exception {
        assertEquals(200, Upstream.attackedBy(Functions.class));

        assertEquals(0, new Functions().call());
    }

    @Test
    void shouldKeepTheOrderOfCalls() throws Exception {
        try (DRPC server = new DRPC(new StormMetricsRegistry(), Utils.readDefaultConfig())) {
            server.execute("f", "first", BlockingOutstandingRequest.FACTORY);
            server.execute("f", "second", BlockingOutstandingRequest.FACTORY);
            assertEquals("first", server.fetchRequest("f").get_func_args());
            assertEquals(1, Functions.queues(server));
            assertEquals("second", server.fetchRequest("f").get_func_args());
            assertEquals("", server.fetchRequest("f").get_func_args());
            assertThrows(IllegalArgumentException.class, () -> server.fetchRequest(null));
        }
    }

    @Test
    void shouldForgetACallThatNobodyAnswers() throws Exception {
        try (DRPC server = new DRPC(new StormMetricsRegistry(), null, 100)) {
            assertThrows(DRPCExecutionException.class, () -> server.executeBlocking("nobody's", ""));
            await().until(() -> Functions.queues(server) == 0); // The caller is released first.
        }
    }

    @Test
    void shouldRefuseALongName() throws Exception {
        assertEquals("accepted", Upstream.attackedBy(LongName.class));

        DRPCExecutionException refused = assertThrows(DRPCExecutionException.class, new LongName()::call);
        assertTrue(refused.get_msg().contains("has 100000 characters, but must have at most 256"), refused.get_msg());
    }

    @Test
    void shouldKeepNoCallWithoutAName() throws Exception {
        assertEquals(1, Upstream.attackedBy(NoName.class), "upstream's server ends when it times out");

        assertEquals(0, new NoName().call());
    }

    /** Calls no function; returns how many calls the server keeps. Does not close it, which upstream's cannot then. */
    static final class NoName implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            DRPC server = new DRPC(new StormMetricsRegistry(), Utils.readDefaultConfig());
            try {
                server.executeBlocking(null, "");
            } catch (DRPCExecutionException | IllegalArgumentException refused) {
                Field calls = DRPC.class.getDeclaredField("requests");
                calls.setAccessible(true);
                return ((Map<?, ?>) calls.get(server)).size();
            }
            throw new AssertionError("accepted");
        }
    }

    /** Fills a DRPC server with names; returns how many queues it keeps. */
    static final class Functions implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            try (DRPC server = new DRPC(new StormMetricsRegistry(), Utils.readDefaultConfig())) {
                for (int i = 0; i < 100; i++) {
                    server.fetchRequest("asked for " + i);
                    server.execute("called " + i, "", BlockingOutstandingRequest.FACTORY);
                    server.fetchRequest("called " + i);
                }
                return queues(server);
            }
        }

        static int queues(DRPC server) throws Exception {
            Field queues = DRPC.class.getDeclaredField("queues");
            queues.setAccessible(true);
            return ((Map<?, ?>) queues.get(server)).size();
        }
    }

    /** Has a DRPC server keep a long name. */
    static final class LongName implements Callable<String> {
        @Override
        public String call() throws Exception {
            try (DRPC server = new DRPC(new StormMetricsRegistry(), Utils.readDefaultConfig())) {
                server.execute("f".repeat(100_000), "", BlockingOutstandingRequest.FACTORY);
                return "accepted";
            }
        }
    }
}
