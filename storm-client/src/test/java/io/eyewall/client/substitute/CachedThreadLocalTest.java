package io.eyewall.client.substitute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class CachedThreadLocalTest {

    /** More than the variable remembers, so that some share a place. */
    private static final int THREADS = 40;
    private static final int TIMES = 20_000;

    @SuppressWarnings("ThreadLocalUsage") // What is tested here is one of each test's own.
    private final CachedThreadLocal<Object> variable = new CachedThreadLocal<>(Object::new);

    @Test
    void shouldKeepAValueForEachThreadWhileThreadsTakeTurns() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Object mine = variable.get();
            Object theirs = other.submit(variable::get).get();
            for (int i = 0; i < 3; i++) {
                assertSame(mine, variable.get());
                assertSame(theirs, other.submit(variable::get).get());
            }
            assertEquals(2, Set.of(mine, theirs).size());
        } finally {
            other.shutdown();
        }
    }

    @Test
    void shouldNeverGiveOneThreadTheValueOfAnotherWhenAllAskAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            Set<Object> values = ConcurrentHashMap.newKeySet();
            Callable<Boolean> asking = () -> {
                Object mine = variable.get();
                boolean same = values.add(mine);
                for (int i = 0; i < TIMES; i++) {
                    same &= variable.get() == mine;
                }
                return same;
            };
            List<Future<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                answers.add(threads.submit(asking));
            }
            for (Future<Boolean> answer : answers) {
                assertEquals(true, answer.get());
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void shouldForgetAValueThatIsRemovedAndTakeOneThatIsSet() {
        Object first = variable.get();
        variable.remove();
        Object second = variable.get();
        Object third = new Object();
        variable.set(third);

        assertEquals(2, Set.of(first, second).size());
        assertSame(third, variable.get());
    }
}
