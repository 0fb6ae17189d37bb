package io.eyewall.web.api;

import io.eyewall.core.pressure.BackPressure;
import io.eyewall.core.pressure.ExecutorQueue;
import io.eyewall.core.pressure.PressureReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TException;

/**
 * {@code topology/{id}/back-pressure}: who holds whom back, and since when. Workers serve few readers at a time, so that an answer stands
 * for those who ask a little later, too. Safe for any thread.
 */
final class PressureAddress implements Handler {

    private static final long FRESH_MS = Duration.ofSeconds(5).toMillis();

    private final PressureReader reader = new PressureReader();
    private final InstantSource clock;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** What was found out for a topology, and when. */
    private record Answer(long timeMs, PressureReader.Reading reading) {
    }

    PressureAddress(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Object handle(Nimbus.Iface nimbus, Parameters asked) throws TException {
        String id = asked.path("id");
        long nowMs = clock.millis();
        answers.values().removeIf(answer -> nowMs - answer.timeMs >= FRESH_MS);
        Answer answer = answers.get(id);
        if (answer == null) {
            answer = new Answer(nowMs, reader.read(nimbus, id));
            answers.put(id, answer);
        }
        return json(id, answer.timeMs, answer.reading);
    }

    /** The content of the response. */
    static Map<String, Object> json(String id, long timeMs, PressureReader.Reading reading) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topologyId", id);
        json.put("timeMs", timeMs);
        json.put("unavailable", reading.unavailable().isEmpty() ? null : reading.unavailable());
        List<Map<String, Object>> culprits = new ArrayList<>();
        for (BackPressure.Culprit culprit : reading.pressure().culprits()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("component", culprit.component());
            one.put("holds", culprit.holds());
            one.put("sinceMs", timeMs - culprit.fullMs());
            one.put("forMs", culprit.fullMs());
            one.put("executors", culprit.executors().stream().map(queue -> executor(queue, timeMs)).toList());
            culprits.add(one);
        }
        json.put("culprits", culprits);
        List<Map<String, Object>> components = new ArrayList<>();
        reading.pressure().components().forEach((component, judged) -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("id", component);
            one.put("state", judged.state().name().toLowerCase(Locale.ROOT));
            one.put("executors", judged.executors());
            one.put("fullExecutors", judged.full());
            one.put("queueLoad", judged.load());
            components.add(one);
        });
        json.put("components", components);
        json.put("silentWorkers", reading.silent());
        return json;
    }

    private static Map<String, Object> executor(ExecutorQueue queue, long timeMs) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", "[" + queue.firstTask() + "-" + (queue.firstTask() + queue.tasks() - 1) + "]");
        json.put("host", queue.host());
        json.put("port", queue.port());
        json.put("queueLoad", queue.load());
        json.put("overflow", queue.overflow());
        json.put("sinceMs", timeMs - queue.fullMs());
        return json;
    }
}
