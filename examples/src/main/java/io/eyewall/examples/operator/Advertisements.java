package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.util.UUID;

/**
 * The advertisements of the Yahoo Streaming Benchmark: ten for each campaign, with ids that depend on the seed. Immutable.
 */
public final class Advertisements {

    private static final int PER_CAMPAIGN = 10;
    private static final int EVENT_TYPES = 3;

    private final long seed;
    private final int count;

    public Advertisements(ExampleConfiguration configuration) {
        seed = configuration.number(ExampleKeys.SEED);
        count = PER_CAMPAIGN * (int) configuration.number(ExampleKeys.YAHOO_CAMPAIGNS);
    }

    /**
     * How many advertisements there are.
     */
    int count() {
        return count;
    }

    /**
     * The id of an advertisement.
     *
     * @param index from 0 to count - 1
     */
    String id(int index) {
        return uuid(0, index);
    }

    /**
     * The id of an advertisement's campaign.
     */
    public String campaign(int index) {
        return uuid(1, index / PER_CAMPAIGN);
    }

    /**
     * The index of an event's advertisement.
     */
    public int ofEvent(long sequence) {
        return (int) Long.remainderUnsigned(SeededHash.of(seed, sequence), count);
    }

    /**
     * Whether an event is a view. One event in three is.
     */
    public boolean isView(long sequence) {
        return typeOfEvent(sequence) == 0;
    }

    /**
     * The type of an event: 0 for a view, 1 for a click, 2 for a purchase.
     */
    int typeOfEvent(long sequence) {
        return (int) Long.remainderUnsigned(SeededHash.of(~seed, sequence), EVENT_TYPES);
    }

    private String uuid(int kind, int index) {
        long number = 2L * index + kind;
        return new UUID(SeededHash.of(seed, number), SeededHash.of(~seed, number)).toString();
    }
}
