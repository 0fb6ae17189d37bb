package io.eyewall.client.security;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;

/**
 * What Kryo reads a message from. Kryo's own makes an array of any length that a message announces, and keeps the one for texts: a few
 * bytes of a stranger take gigabytes of a worker's memory. This one throws if the message is too short for it. For messages in memory, and
 * one thread at a time.
 */
public final class BoundedInput extends Input {

    private BoundedInput(int bufferSizeBytes) {
        super(bufferSizeBytes);
    }

    /** In place of {@code new Input(int)} where messages are read. */
    public static Input of(int bufferSizeBytes) {
        return new BoundedInput(bufferSizeBytes);
    }

    @Override
    public String readString() {
        checkText();
        return super.readString();
    }

    @Override
    public StringBuilder readStringBuilder() {
        checkText();
        return super.readStringBuilder();
    }

    @Override
    public byte[] readBytes(int length) {
        check(length);
        return super.readBytes(length);
    }

    @Override
    public int[] readInts(int length) {
        check(length);
        return super.readInts(length);
    }

    @Override
    public int[] readInts(int length, boolean optimizePositive) {
        check(length);
        return super.readInts(length, optimizePositive);
    }

    @Override
    public long[] readLongs(int length) {
        check(length);
        return super.readLongs(length);
    }

    @Override
    public long[] readLongs(int length, boolean optimizePositive) {
        check(length);
        return super.readLongs(length, optimizePositive);
    }

    @Override
    public float[] readFloats(int length) {
        check(length);
        return super.readFloats(length);
    }

    @Override
    public double[] readDoubles(int length) {
        check(length);
        return super.readDoubles(length);
    }

    @Override
    public short[] readShorts(int length) {
        check(length);
        return super.readShorts(length);
    }

    @Override
    public char[] readChars(int length) {
        check(length);
        return super.readChars(length);
    }

    @Override
    public boolean[] readBooleans(int length) {
        check(length);
        return super.readBooleans(length);
    }

    /** A text of other letters than those of ASCII begins with its length, plus one. */
    private void checkText() {
        int start = position;
        if (readVarIntFlag()) {
            int length = readVarIntFlag(true);
            check(length - 1);
            position = start;
        }
    }

    /** Each element has a byte at least. */
    private void check(int length) {
        if (length > limit - position) {
            throw new KryoException("A length of " + length + " is announced in a message that has " + (limit - position)
                + " bytes more.");
        }
    }
}
