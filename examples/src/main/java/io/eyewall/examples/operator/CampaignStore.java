package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.io.IOException;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Reads and writes the Redis server of the Yahoo Streaming Benchmark, which holds the campaign of each advertisement, and how often each
 * campaign was viewed in each window. Keys:
 *
 * <pre>
 *   eyewall:yahoo:ad:AD                    text: the campaign
 *   eyewall:yahoo:window:CAMPAIGN:START    hash: seen (number of views), updatedMs (time of the last write); START in ms since 1970
 * </pre>
 *
 * <p>For one thread. Reconnects after a failure.
 */
public final class CampaignStore implements AutoCloseable {

    private static final String AD = "eyewall:yahoo:ad:";
    private static final String WINDOW = "eyewall:yahoo:window:";
    private static final int LOAD_BATCH = 1000;

    private final RedisClient redis;
    private final String where;

    public CampaignStore(ExampleConfiguration configuration) {
        String host = configuration.text(ExampleKeys.REDIS_HOST).orElseThrow();
        int port = (int) configuration.number(ExampleKeys.REDIS_PORT);
        redis = RedisClient.create(host, port);
        where = "Redis at " + host + ':' + port + " (" + ExampleKeys.REDIS_HOST.name() + ", " + ExampleKeys.REDIS_PORT.name() + ')';
    }

    /**
     * Writes the campaign of every advertisement. A repetition changes nothing.
     */
    void load(Advertisements advertisements) throws IOException {
        try (AbstractPipeline batch = redis.pipelined()) {
            for (int index = 0; index < advertisements.count(); index++) {
                batch.set(AD + advertisements.id(index), advertisements.campaign(index));
                if (index % LOAD_BATCH == LOAD_BATCH - 1) {
                    batch.sync();
                }
            }
            batch.sync();
        } catch (JedisException failure) {
            throw unreachable(failure);
        }
    }

    /**
     * The campaign of an advertisement, or null if the server does not have it.
     */
    String campaign(String advertisement) throws IOException {
        try {
            return redis.get(AD + advertisement);
        } catch (JedisException failure) {
            throw unreachable(failure);
        }
    }

    /**
     * Counts one view of a campaign in a window.
     */
    void count(String campaign, long windowStartMs, long nowMs) throws IOException {
        String key = WINDOW + campaign + ':' + windowStartMs;
        try (AbstractPipeline both = redis.pipelined()) {
            both.hincrBy(key, "seen", 1);
            both.hset(key, "updatedMs", Long.toString(nowMs));
            both.sync();
        } catch (JedisException failure) {
            throw unreachable(failure);
        }
    }

    @Override
    public void close() {
        redis.close();
    }

    private IOException unreachable(JedisException failure) {
        return new IOException("Cannot use " + where + ": " + failure.getMessage(), failure);
    }
}
