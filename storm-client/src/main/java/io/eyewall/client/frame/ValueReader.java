package io.eyewall.client.frame;

import static io.eyewall.client.frame.FrameFormat.unzigzag;

import java.util.ArrayList;
import java.util.List;

/** Reads what {@link ValueWriter} writes. For one thread. */
final class ValueReader {

    /** A longer list grows as its values arrive, since its length may be wrong. */
    private static final int TRUSTED_LENGTH = 64;

    /** Reads this number of values. */
    List<Object> read(FrameInput in, int count) throws FrameException {
        return read(in, count, 0);
    }

    private List<Object> read(FrameInput in, int count, int depth) throws FrameException {
        List<Object> values = new ArrayList<>(Math.min(count, TRUSTED_LENGTH));
        for (int i = 0; i < count; i++) {
            values.add(readValue(in, depth));
        }
        return values;
    }

    private Object readValue(FrameInput in, int depth) throws FrameException {
        int type = in.readByte();
        if ((type & ~FrameFormat.SHORT_TEXT_LENGTH) == FrameFormat.SHORT_TEXT) {
            return in.readLatin(type & FrameFormat.SHORT_TEXT_LENGTH);
        }
        return switch (type) {
            case FrameFormat.NULL -> null;
            case FrameFormat.FALSE -> false;
            case FrameFormat.TRUE -> true;
            case FrameFormat.INT -> unzigzag(in.readVarInt());
            case FrameFormat.LONG -> unzigzag(in.readVarLong());
            case FrameFormat.DOUBLE -> Double.longBitsToDouble(in.readLong());
            case FrameFormat.TEXT -> in.readLatin(in.readLength());
            case FrameFormat.WIDE_TEXT -> in.readWide(in.readLength());
            case FrameFormat.BYTES -> in.readBytes(in.readLength());
            case FrameFormat.LIST -> readList(in, depth + 1);
            default -> throw new FrameException("it sent a value of the unknown type " + type);
        };
    }

    private List<Object> readList(FrameInput in, int depth) throws FrameException {
        if (depth > FrameFormat.MAX_DEPTH) {
            throw new FrameException("it sent lists within lists deeper than " + FrameFormat.MAX_DEPTH);
        }
        return read(in, in.readLength(), depth);
    }
}
