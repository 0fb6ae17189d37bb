package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.thrift.TException;
import org.junit.jupiter.api.Test;

class ResponseCacheTest {

    private static final ResponseCache.Key KEY = key("ann", Map.of("window", "600"));

    private final AtomicLong nowMs = new AtomicLong(1_000);
    private final AtomicInteger made = new AtomicInteger();
    private final ResponseCache answers = new ResponseCache(() -> Instant.ofEpochMilli(nowMs.get()));

    @Test
    void shouldStandForThoseWhoAcceptTheAge() throws Exception {
        assertEquals("1", get(KEY, 5_000));
        nowMs.addAndGet(4_999);
        assertEquals("1", get(KEY, 5_000));
        assertEquals("2", get(KEY, 1_000));
        nowMs.addAndGet(5_000);
        assertEquals("3", get(KEY, 5_000));
    }

    @Test
    void shouldNotStandForOthersNorForOtherParameters() throws Exception {
        assertEquals("1", get(KEY, 5_000));
        assertEquals("2", get(key("bert", Map.of("window", "600")), 5_000));
        assertEquals("3", get(key("ann", Map.of("window", "10800")), 5_000));
        assertEquals("4", get(key(null, Map.of("window", "600")), 5_000));
        assertEquals("1", get(key("ann", Map.of("callback", "show", "window", "600")), 5_000));
        assertNotEquals(new Callers.Caller("ann", "", Set.of("k zoe")), new Callers.Caller("ann", "k ann", Set.of("k zoe")));
    }

    @Test
    void shouldBeMadeAnewWhenSomethingWasChanged() throws Exception {
        assertEquals("1", get(KEY, 5_000));
        answers.forget();
        assertEquals("2", get(KEY, 5_000));
    }

    @Test
    void shouldMakeOneAnswerForAllWhoWait() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<String> first = threads.submit(() -> text(answers.get(KEY, 5_000, () -> {
                begun.countDown();
                await(goOn);
                return next();
            })));
            begun.await();
            CountDownLatch asking = new CountDownLatch(5);
            List<Future<String>> others = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                others.add(threads.submit(() -> {
                    asking.countDown();
                    return get(KEY, 5_000);
                }));
            }
            asking.await();
            goOn.countDown();
            assertEquals("1", first.get(2, TimeUnit.MINUTES));
            for (Future<String> other : others) {
                assertEquals("1", other.get(2, TimeUnit.MINUTES));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldNotGiveWhatWasBegunBeforeAChange() throws Exception {
        answers.get(KEY, 5_000, () -> {
            // Somebody acts, and asks, while this answer is being made.
            answers.forget();
            assertEquals("1", text(answers.get(KEY, 5_000, this::next)));
            return "old".getBytes(StandardCharsets.UTF_8);
        });
        assertEquals("1", get(KEY, 5_000));
    }

    @Test
    void shouldTellAFailureToThoseWhoWaitAndNobodyElse() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<String> asked = threads.submit(() -> text(answers.get(KEY, 5_000, () -> {
                begun.countDown();
                await(goOn);
                throw HttpException.badRequest("no");
            })));
            begun.await();
            goOn.countDown();
            assertEquals("no", assertThrows(ExecutionException.class, () -> asked.get(2, TimeUnit.MINUTES)).getCause().getMessage());
        } finally {
            threads.shutdownNow();
        }
        assertThrows(TException.class, () -> answers.get(KEY, 5_000, () -> {
            throw new TException("away");
        }));
        assertEquals("1", get(KEY, 5_000));
    }

    @Test
    void shouldKeepNoMoreThanABound() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            get(key("ann", Map.of("window", String.valueOf(i))), 5_000);
        }
        assertEquals("2001", get(key("ann", Map.of("window", "0")), 5_000));
        byte[] large = new byte[9 << 20];
        for (int i = 0; i < 2; i++) {
            answers.get(key("ann", Map.of("large", String.valueOf(i))), 5_000, () -> large);
        }
        assertEquals("2002", get(key("ann", Map.of("large", "0")), 5_000));
    }

    @Test
    void shouldReadTheAgeThatARequestAccepts() {
        assertEquals(5_000, ResponseCache.acceptedMs("max-age=5"));
        assertEquals(10_000, ResponseCache.acceptedMs(" max-age=999999"));
        for (String none : List.of("no-cache", "max-age=0", "max-age=-1", "max-age=5, no-cache", "max-age=99999999999", "")) {
            assertEquals(0, ResponseCache.acceptedMs(none), none);
        }
        assertEquals(0, ResponseCache.acceptedMs(null));
    }

    private String get(ResponseCache.Key key, long acceptedMs) throws Exception {
        return text(answers.get(key, acceptedMs, this::next));
    }

    private static String text(ResponseCache.Answer answer) {
        return new String(answer.json(), StandardCharsets.UTF_8);
    }

    private byte[] next() {
        return String.valueOf(made.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ResponseCache.Key key(String user, Map<String, String> query) {
        return ResponseCache.Key.of(new Callers.Caller(user, "", Set.of()), new RequestAddress(List.of("topology", "a"), query));
    }
}
