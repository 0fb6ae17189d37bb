package io.eyewall.client.frame;

import io.eyewall.client.substitute.SingleAnchorMessageId;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.tuple.Values;

/** Tuples of every kind. */
final class RandomTuples {

    private static final int COMMON_KINDS = 9;
    private static final int KINDS = 16;
    private static final int MAX_VALUES = 6;
    private static final long[] LONGS = {0, 1, -1, 63, 64, -64, -65, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, 1L << 55, 1L << 56,
        -(1L << 56)};
    private static final double[] DOUBLES = {0.0, -0.0, Double.NaN, Double.MIN_VALUE, Double.NEGATIVE_INFINITY, Math.PI};
    private static final String[] TEXTS = {"", "word", "na\u00efve \u00ff", "\u0100", "\u4e2d\u6587", "\ud83c\udf00 storm", "\ud83c",
        "x\udf00y", "\u07ff\u0800\uffff", "\0"};

    private final FrameTopology topology;
    private final Random random;
    private long root;

    RandomTuples(FrameTopology topology, Random random) {
        this.topology = topology;
        this.random = random;
        root = random.nextLong();
    }

    int task() {
        return 1 + random.nextInt(FrameTopology.TASKS);
    }

    /** A tuple of any task and stream. */
    TupleImpl next() {
        List<Object> values = new ArrayList<>();
        boolean common = random.nextInt(4) > 0;
        for (int i = random.nextInt(MAX_VALUES); i > 0; i--) {
            values.add(value(common, 1));
        }
        if (random.nextInt(3) == 0) {
            return new TupleImpl(topology.context, values, "words", 1, "default", anchors());
        }
        return new TupleImpl(topology.context, values, FrameTopology.BOLT, 5 + random.nextInt(FrameTopology.TASKS - 4),
            FrameTopology.stream(random.nextInt(FrameTopology.STREAMS)), anchors());
    }

    private MessageId anchors() {
        return switch (random.nextInt(5)) {
            case 0 -> MessageId.makeUnanchored();
            case 1 -> new SingleAnchorMessageId(random.nextLong(), random.nextLong());
            case 2 -> MessageId.makeRootId(++root, random.nextLong());
            case 3 -> new SingleAnchorMessageId(++root, random.nextLong());
            default -> severalAnchors();
        };
    }

    private MessageId severalAnchors() {
        Map<Long, Long> several = new HashMap<>();
        for (int i = 2 + random.nextInt(4); i > 0; i--) {
            several.put(random.nextBoolean() ? random.nextLong() : ++root, random.nextLong());
        }
        return MessageId.makeId(several);
    }

    private Object value(boolean common, int depth) {
        return switch (random.nextInt(common ? COMMON_KINDS : KINDS)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextBoolean() ? random.nextInt() : random.nextInt(200) - 100;
            case 3 -> random.nextBoolean() ? random.nextLong() : LONGS[random.nextInt(LONGS.length)];
            case 4 -> random.nextBoolean() ? random.nextDouble() : DOUBLES[random.nextInt(DOUBLES.length)];
            case 5 -> TEXTS[random.nextInt(TEXTS.length)];
            case 6 -> TEXTS[random.nextInt(TEXTS.length)].repeat(random.nextInt(100));
            case 7 -> bytes(random.nextInt(300));
            case 8 -> list(common, depth);
            case 9 -> random.nextFloat();
            case 10 -> new BigInteger(200, random);
            case 11 -> Instant.ofEpochSecond(random.nextInt());
            case 12 -> new HashMap<>(Map.of("key", random.nextInt(), "other", TEXTS[random.nextInt(TEXTS.length)]));
            case 13 -> new Values("nested", random.nextLong());
            case 14 -> List.of(1, 2L, "three");
            default -> (short) random.nextInt();
        };
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private List<Object> list(boolean common, int depth) {
        List<Object> list = new ArrayList<>();
        if (depth < 2 * FrameFormat.MAX_DEPTH) {
            for (int i = random.nextInt(4); i > 0; i--) {
                list.add(random.nextInt(3) == 0 ? list(common, depth + 1) : value(common, depth + 1));
            }
        }
        return list;
    }
}
