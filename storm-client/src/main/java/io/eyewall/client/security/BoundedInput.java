package io.eyewall.client.security;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;

/**
 * What Kryo reads a message from. Kryo's own makes an array of any length that a message announces, and keeps the one for texts: a few
 * bytes of a stranger take gigabytes of a worker's memory. This one throws if the message is too short for it. Collections and maps get
 * room for few elements at first, and all of a message may have about as many elements as the message has bytes. For messages in memory,
 * and one thread at a time.
 */
public final class BoundedInput extends Input {

    /** Room for more comes with the elements: collections in one another could each announce the whole rest of the message. */
    private static final int MAX_INITIAL_ELEMENTS = 4_096;

    /** Elements without bytes of their own: null, if all of a collection are, and objects of one class that has no fields. */
    private static final int MAX_WITHOUT_BYTES = 1 << 20;

    /** How many elements collections and maps may have that the message has not announced yet. */
    private long elementsLeft;

    private BoundedInput(int bufferSizeBytes) {
        super(bufferSizeBytes);
    }

    /** In place of {@code new Input(int)} where messages are read. */
    public static Input of(int bufferSizeBytes) {
        return new BoundedInput(bufferSizeBytes);
    }

    /**
     * For how many elements to make room in a collection or a map that begins here, if so many are announced.
     *
     * @throws KryoException if the message has too few bytes for all that it has announced
     */
    public static int room(Input input, int elements) {
        return input instanceof BoundedInput bounded ? bounded.room(elements) : elements;
    }

    private int room(int elements) {
        elementsLeft -= elements;
        if (elementsLeft < 0) {
            throw new KryoException("A collection of " + elements + " elements is announced, with which the message has more elements than"
                + " bytes. Of elements that take no bytes, such as nulls, a message may have " + MAX_WITHOUT_BYTES + ".");
        }
        return Math.min(elements, MAX_INITIAL_ELEMENTS);
    }

    @Override
    public void setBuffer(byte[] bytes, int offset, int count) {
        super.setBuffer(bytes, offset, count);
        elementsLeft = (long) count + MAX_WITHOUT_BYTES;
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

    /** Looks at the length of an array of objects that begins here, plus one. */
    static void checkArray(Input input) {
        if (input instanceof BoundedInput bounded) {
            int start = bounded.position;
            int length = bounded.readVarInt(true);
            bounded.check(length - 1);
            bounded.position = start;
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
