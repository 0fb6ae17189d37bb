package io.eyewall.client.frame;

import static io.eyewall.client.frame.FrameFormat.zigzag;

import java.util.ArrayList;
import java.util.List;

/** Writes values of common types. For one thread. */
final class ValueWriter {

    /**
     * Writes values one after the other.
     *
     * @return false if one of them is of another type; what was written of the others must be taken back
     */
    boolean tryWrite(FrameBuffer out, List<?> values) {
        return tryWrite(out, values, 0);
    }

    private boolean tryWrite(FrameBuffer out, List<?> values, int depth) {
        for (int i = 0; i < values.size(); i++) {
            if (!tryWrite(out, values.get(i), depth)) {
                return false;
            }
        }
        return true;
    }

    private boolean tryWrite(FrameBuffer out, Object value, int depth) {
        if (value instanceof String text) {
            writeText(out, text);
        } else if (value instanceof Long number) {
            out.putByte(FrameFormat.LONG);
            out.putVarLong(zigzag(number));
        } else if (value instanceof Integer number) {
            out.putByte(FrameFormat.INT);
            out.putVarInt(zigzag(number));
        } else if (value instanceof Double number) {
            out.putByte(FrameFormat.DOUBLE);
            out.putLong(Double.doubleToRawLongBits(number));
        } else if (value instanceof byte[] bytes) {
            out.putByte(FrameFormat.BYTES);
            out.putVarInt(bytes.length);
            out.putBytes(bytes, bytes.length);
        } else if (value instanceof Boolean flag) {
            out.putByte(flag ? FrameFormat.TRUE : FrameFormat.FALSE);
        } else if (value == null) {
            out.putByte(FrameFormat.NULL);
        } else {
            return value.getClass() == ArrayList.class && tryWriteList(out, (ArrayList<?>) value, depth + 1);
        }
        return true;
    }

    private boolean tryWriteList(FrameBuffer out, List<?> list, int depth) {
        if (depth > FrameFormat.MAX_DEPTH) {
            return false;
        }
        out.putByte(FrameFormat.LIST);
        out.putVarInt(list.size());
        return tryWrite(out, list, depth);
    }

    private static void writeText(FrameBuffer out, String text) {
        int start = out.position();
        if (text.length() <= FrameFormat.SHORT_TEXT_LENGTH) {
            out.putByte(FrameFormat.SHORT_TEXT | text.length());
        } else {
            out.putByte(FrameFormat.TEXT);
            out.putVarInt(text.length());
        }
        if (!out.tryPutLatin(text)) {
            out.reset(start);
            out.putByte(FrameFormat.WIDE_TEXT);
            out.putVarInt(text.length());
            out.putWide(text);
        }
    }
}
