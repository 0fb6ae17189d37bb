package io.eyewall.web.api;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.thrift.TException;

/**
 * A cache of responses for callers that ask for the same with the same rights and accept their age: {@code Cache-Control: max-age=5},
 * in seconds. A request that comes while an answer is being made waits for it. An answer is as old as the request that it was made for.
 * Safe for any thread.
 */
final class ResponseCache {

    private static final long OLDEST_MS = Duration.ofSeconds(10).toMillis();
    private static final int MAX_ANSWERS = 500;
    private static final long MAX_BYTES = 16L << 20;
    private static final Pattern MAX_AGE = Pattern.compile("\\s*max-age=(\\d{1,6})\\s*");

    private final InstantSource clock;
    private final Map<Key, Answer> answers = new ConcurrentHashMap<>();

    ResponseCache(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * What an answer depends on.
     *
     * @param caller who asks, in all that an authorizer may look at
     * @param segments of the path, decoded
     * @param query the parameters, in any order
     */
    record Key(Callers.Caller caller, List<String> segments, Map<String, String> query) {

        static Key of(Callers.Caller caller, RequestAddress asked) {
            Map<String, String> query = new HashMap<>(asked.query());
            // It is put around the answer.
            query.remove("callback");
            return new Key(caller, asked.segments(), query);
        }
    }

    /** An answer that is being made, or is there. */
    static final class Answer {

        private final long askedMs;
        private final CompletableFuture<byte[]> json = new CompletableFuture<>();

        private Answer(long askedMs) {
            this.askedMs = askedMs;
        }

        /** When somebody first asked for it. */
        long askedMs() {
            return askedMs;
        }

        /** The content of the response, which nobody changes. */
        byte[] json() {
            return json.join();
        }
    }

    /** Makes an answer. */
    @FunctionalInterface
    interface Maker {

        byte[] make() throws HttpException, TException;
    }

    /** The age that a request accepts by its header {@code Cache-Control}; 0 if it wants an answer of its own. */
    static long acceptedMs(String cacheControl) {
        Matcher header = MAX_AGE.matcher(cacheControl == null ? "" : cacheControl);
        return header.matches() ? Math.min(OLDEST_MS, Duration.ofSeconds(Long.parseLong(header.group(1))).toMillis()) : 0;
    }

    /**
     * An answer that is not older than {@code acceptedMs}, or that was being made already. A failure goes to all who wait for it, and to
     * nobody who asks later.
     */
    Answer get(Key key, long acceptedMs, Maker maker) throws HttpException, TException {
        long nowMs = clock.millis();
        Answer mine = new Answer(nowMs);
        Answer found = answers.compute(key, (same, before) -> before != null
            && (!before.json.isDone() || nowMs - before.askedMs < acceptedMs) ? before : mine);
        if (found == mine) {
            make(key, mine, maker);
        } else {
            await(found);
        }
        return found;
    }

    /** Has everything made anew, since something was changed. */
    void forget() {
        answers.clear();
    }

    private void make(Key key, Answer mine, Maker maker) throws HttpException, TException {
        try {
            mine.json.complete(maker.make());
            trim();
        } catch (HttpException | TException | RuntimeException e) {
            answers.remove(key, mine);
            mine.json.completeExceptionally(e);
            throw e;
        } finally {
            if (!mine.json.isDone()) {
                // An error of the JVM, which stays with this thread.
                answers.remove(key, mine);
                mine.json.completeExceptionally(new IllegalStateException("The answer was not made."));
            }
        }
    }

    private static void await(Answer found) throws HttpException, TException {
        try {
            found.json.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof HttpException refused) {
                throw refused;
            }
            if (e.getCause() instanceof TException failed) {
                throw failed;
            }
            throw e.getCause() instanceof RuntimeException failed ? failed : e;
        }
    }

    /** Keeps neither what is too old for everybody nor more than a bound. */
    private void trim() {
        long nowMs = clock.millis();
        Collection<Answer> all = answers.values();
        all.removeIf(answer -> answer.json.isDone() && nowMs - answer.askedMs >= OLDEST_MS);
        long bytes = 0;
        for (Answer answer : all) {
            bytes += answer.json.isDone() && !answer.json.isCompletedExceptionally() ? answer.json().length : 0;
        }
        if (bytes > MAX_BYTES || all.size() > MAX_ANSWERS) {
            answers.clear();
        }
    }
}
