package io.eyewall.web.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.web.history.EventLog;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Server-sent events: responses that do not end, to which one thread adds what happens. None of them keeps a thread, and a reader that does
 * not read delays no other. A stream ends after a while and the browser asks again, so that a user without the right any more is refused.
 * Safe for any thread.
 */
final class EventStreams implements AutoCloseable {

    private static final int UNAVAILABLE = 503;
    private static final int MAX_STREAMS = 200;
    private static final int MAX_PENDING = 200;
    private static final long LONGEST_MS = Duration.ofMinutes(10).toMillis();
    /** So often a stream shows that it is alive, which also finds readers who have gone. */
    private static final long HEARTBEAT_MS = Duration.ofSeconds(15).toMillis();
    private static final int LOOK_EVERY_MS = 1_000;
    private static final String LAST = "Last-Event-ID";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final EventLog events;
    private final InstantSource clock;
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private final Timer thread = new Timer("events", true);

    EventStreams(EventLog events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
    }

    /** What a handler returns in the place of JSON: the events of a topology. */
    record Wanted(String topology) {
    }

    void start() {
        thread.schedule(new TimerTask() {
            @Override
            public void run() {
                streams.forEach(Stream::look);
            }
        }, LOOK_EVERY_MS, LOOK_EVERY_MS);
    }

    @Override
    public void close() {
        thread.cancel();
        streams.forEach(Stream::end);
    }

    /** Begins a response with the events after the one that the request names, or with those from now on. */
    void open(HttpServletRequest request, HttpServletResponse response, Wanted wanted) throws HttpException, IOException {
        String last = request.getHeader(LAST);
        long after = events.last();
        if (last != null) {
            try {
                after = Long.parseLong(last);
            } catch (NumberFormatException e) {
                throw HttpException.badRequest(LAST + " is " + Parameters.shown(last) + ". Use the id of an event, or leave it out.");
            }
        }
        if (streams.size() >= MAX_STREAMS) {
            throw new HttpException(UNAVAILABLE, MAX_STREAMS + " pages follow events. Ask for the history instead, or try again later.");
        }
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType("text/event-stream;charset=utf-8");
        response.setHeader("Cache-Control", "no-cache, no-store");
        // A proxy in front must not wait for the end.
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext context = request.startAsync();
        context.setTimeout(0);
        Stream stream = new Stream(context, response.getOutputStream(), wanted.topology(), after);
        streams.add(stream);
        response.getOutputStream().setWriteListener(stream);
    }

    /** One response. What is written waits in a queue while the reader's connection is full. */
    private final class Stream implements WriteListener {

        private final AsyncContext context;
        private final ServletOutputStream output;
        private final String topology;
        private final long endMs = clock.millis() + LONGEST_MS;
        private final Queue<byte[]> pending = new ConcurrentLinkedQueue<>();
        /** Whether something is to be flushed: at first the headers. Used under this object's lock. */
        private boolean unsent = true;
        // Used by the thread that looks.
        private long after;
        private long nextHeartbeatMs;

        Stream(AsyncContext context, ServletOutputStream output, String topology, long after) {
            this.context = context;
            this.output = output;
            this.topology = topology;
            this.after = after;
        }

        void look() {
            long nowMs = clock.millis();
            for (EventLog.Numbered event : events.after(topology, after)) {
                after = event.number();
                pending.add(text(event));
            }
            if (nowMs >= nextHeartbeatMs) {
                nextHeartbeatMs = nowMs + HEARTBEAT_MS;
                pending.add(": \n\n".getBytes(StandardCharsets.UTF_8));
            }
            if (nowMs >= endMs || pending.size() > MAX_PENDING) {
                end();
            } else {
                write();
            }
        }

        @Override
        public void onWritePossible() {
            write();
        }

        @Override
        public void onError(Throwable gone) {
            end();
        }

        private synchronized void write() {
            try {
                while (streams.contains(this) && output.isReady()) {
                    byte[] next = pending.poll();
                    if (next == null && unsent) {
                        unsent = false;
                        output.flush();
                    }
                    if (next == null) {
                        return;
                    }
                    unsent = true;
                    output.write(next);
                }
            } catch (IOException | IllegalStateException gone) {
                end();
            }
        }

        private synchronized void end() {
            if (streams.remove(this)) {
                try {
                    context.complete();
                } catch (IllegalStateException over) {
                    return;
                }
            }
        }
    }

    private static byte[] text(EventLog.Numbered event) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time", event.timeSecs());
        json.put("kind", event.event().kind());
        json.put("text", event.event().text());
        try {
            return ("id: " + event.number() + "\ndata: " + JSON.writeValueAsString(json) + "\n\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Texts and numbers can always be written as JSON.", e);
        }
    }
}
