package io.eyewall.examples.operator;

import com.google.gson.stream.JsonWriter;
import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.measuring.Clock;
import io.eyewall.examples.measuring.SystemClock;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Emits the events of the Yahoo Streaming Benchmark, each as a JSON object: {@code user_id, page_id, ad_id, ad_type, event_type,
 * event_time, ip_address}. The time of an event is the time at which it was due, in milliseconds since 1970.
 */
public final class AdEventSource implements MessageSource {

    public static final String VIEW = "view";

    private static final String[] EVENT_TYPES = {VIEW, "click", "purchase"};
    private static final String[] AD_TYPES = {"banner", "modal", "sponsored-search", "mail", "mobile"};
    private static final int USERS = 100;
    private static final int JSON_CHARS = 250;

    private final Clock clock;

    private transient Advertisements advertisements;
    private transient long sequence;
    private transient long limit;
    private transient int step;

    public AdEventSource() {
        this(SystemClock.INSTANCE);
    }

    AdEventSource(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Fields fields() {
        return new Fields("json", DUE_NS);
    }

    @Override
    public void open(ExampleConfiguration configuration, int taskIndex, int taskCount) {
        advertisements = new Advertisements(configuration);
        long records = configuration.number(ExampleKeys.RECORDS);
        limit = records == 0 ? Long.MAX_VALUE : records;
        sequence = taskIndex;
        step = taskCount;
    }

    @Override
    public List<Object> next(long dueNs) throws IOException {
        if (sequence >= limit) {
            return null;
        }
        long lateNs = dueNs == NOT_MEASURED ? 0 : clock.nanoTime() - dueNs;
        long eventMs = clock.epochMs() - TimeUnit.NANOSECONDS.toMillis(lateNs);
        Values values = new Values(json(sequence, eventMs), dueNs);
        sequence += step;
        return values;
    }

    @Override
    public void close() {
    }

    private String json(long number, long eventMs) throws IOException {
        int advertisement = advertisements.ofEvent(number);
        StringWriter text = new StringWriter(JSON_CHARS);
        try (JsonWriter json = new JsonWriter(text)) {
            json.beginObject();
            json.name("user_id").value("user-" + number % USERS);
            json.name("page_id").value("page-" + number / USERS % USERS);
            json.name("ad_id").value(advertisements.id(advertisement));
            json.name("ad_type").value(AD_TYPES[advertisement % AD_TYPES.length]);
            json.name("event_type").value(EVENT_TYPES[advertisements.typeOfEvent(number)]);
            json.name("event_time").value(eventMs);
            json.name("ip_address").value("192.0.2." + number % 256);
            json.endObject();
        }
        return text.toString();
    }
}
