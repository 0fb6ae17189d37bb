package io.eyewall.client.ring;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A stream of bytes from one process to another through a mapped file, for one writer and one reader at a time. Neither side waits: each
 * takes or leaves what there is, and a reader that is about to wait {@linkplain #trySleep says so}.
 *
 * <p>The file has a head of a page and then the bytes. Its numbers are in the order of the machine, since both sides are on it. Its memory
 * is there from the beginning, and a mapping keeps it when the file is removed. Then nobody can shorten it, which would fail accesses.
 */
public final class SharedRing implements Closeable {

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final MethodHandle UNMAP = unmap();

    private static final long MAGIC = 0x4579_6577_616c_6c01L;
    private static final int HEAD_BYTES = 4_096;
    /** Where the numbers of the head are; those of different writers are on cache lines of their own. */
    private static final int MAGIC_AT = 0;
    /** How many bytes were written. Written by the writer. */
    private static final int WRITTEN_AT = 128;
    /** How many bytes were read. Written by the reader. */
    private static final int READ_AT = 256;
    /** 1 while the reader sleeps. Raised and lowered by the reader, lowered by the writer that wakes it. */
    private static final int ASLEEP_AT = 384;
    /** 1 once the reader has the file. Written by the reader. */
    private static final int ATTACHED_AT = 512;

    private final MappedByteBuffer memory;
    private final int capacityBytes;
    /** How many bytes were written. For the writer. */
    private long written;
    /** How many bytes were read when the writer last looked. For the writer. */
    private long readBefore;
    /** How many bytes were read. For the reader. */
    private long read;

    private SharedRing(MappedByteBuffer memory, int capacityBytes) {
        this.memory = memory;
        this.capacityBytes = capacityBytes;
    }

    /**
     * Makes the file and fills it, so that its memory is there later; for the writer, or for the reader if it has its own way to hand the
     * file over.
     *
     * @param capacityBytes a power of two
     * @throws IOException if there is no space
     */
    public static SharedRing create(Path file, int capacityBytes) throws IOException {
        if (Integer.bitCount(capacityBytes) != 1) {
            throw new IllegalArgumentException("A ring has a power of two of bytes, and not " + capacityBytes + ".");
        }
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options, RingPlace.OWNER_ONLY)) {
            ByteBuffer zeros = ByteBuffer.allocate(HEAD_BYTES + capacityBytes);
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
            SharedRing ring = new SharedRing(channel.map(FileChannel.MapMode.READ_WRITE, 0, zeros.capacity()), capacityBytes);
            LONGS.setVolatile(ring.memory, MAGIC_AT, MAGIC);
            return ring;
        }
    }

    /**
     * Maps a file that the other side has made.
     *
     * @throws IOException if there is none, it is no ring, or another user could have made or changed it
     */
    public static SharedRing open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            RingPlace.requireOwn(file.getParent()); // Now, since the file that was opened is in it.
            long capacityBytes = channel.size() - HEAD_BYTES;
            if (capacityBytes < 1 || capacityBytes > Integer.MAX_VALUE / 2 || Long.bitCount(capacityBytes) != 1) {
                throw new IOException(file + " is no ring: its length is " + channel.size() + " bytes.");
            }
            SharedRing ring = new SharedRing(channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size()), (int) capacityBytes);
            if ((long) LONGS.getVolatile(ring.memory, MAGIC_AT) != MAGIC) {
                ring.close();
                throw new IOException(file + " is no ring of this version.");
            }
            return ring;
        }
    }

    /** How many bytes can wait in it. */
    public int capacityBytes() {
        return capacityBytes;
    }

    /** Says that the reader has the file; for the reader. */
    public void attach() {
        INTS.setVolatile(memory, ATTACHED_AT, 1);
    }

    /** Whether the reader has the file; for the writer. */
    public boolean isAttached() {
        return (int) INTS.getVolatile(memory, ATTACHED_AT) == 1;
    }

    /**
     * Writes as many of the bytes as there is space for; returns how many. For the writer, who then asks whether it {@link #mustWake}.
     *
     * @throws IOException if the numbers in the file are wrong
     */
    public int write(ByteBuffer bytes) throws IOException {
        if (capacityBytes - (written - readBefore) < bytes.remaining()) {
            readBefore = (long) LONGS.getAcquire(memory, READ_AT);
            if (readBefore > written || written - readBefore > capacityBytes) {
                throw new IOException("A ring of " + capacityBytes + " bytes cannot have " + (written - readBefore) + " unread.");
            }
        }
        int length = (int) Math.min(bytes.remaining(), capacityBytes - (written - readBefore));
        int at = (int) written & (capacityBytes - 1);
        int first = Math.min(length, capacityBytes - at);
        memory.put(HEAD_BYTES + at, bytes, bytes.position(), first);
        memory.put(HEAD_BYTES, bytes, bytes.position() + first, length - first);
        bytes.position(bytes.position() + length);
        written += length;
        LONGS.setRelease(memory, WRITTEN_AT, written);
        return length;
    }

    /** Whether the reader sleeps and must be woken by the caller, who gets this answer once; for the writer, after it has written. */
    public boolean mustWake() {
        VarHandle.fullFence(); // What was written is visible before the flag is read: the reader raises it, and then looks once more.
        return (int) INTS.getVolatile(memory, ASLEEP_AT) == 1 && INTS.compareAndSet(memory, ASLEEP_AT, 1, 0);
    }

    /**
     * How many bytes there are to read; for the reader.
     *
     * @throws IOException if the numbers in the file are wrong
     */
    public int available() throws IOException {
        long available = (long) LONGS.getVolatile(memory, WRITTEN_AT) - read;
        if (available < 0 || available > capacityBytes) {
            throw new IOException("A ring of " + capacityBytes + " bytes cannot have " + available + " to read.");
        }
        return (int) available;
    }

    /** Reads so many bytes, which must be there; for the reader. */
    public void read(byte[] into, int from, int length) {
        read(ByteBuffer.wrap(into, from, length));
    }

    /** Reads as many bytes as there is space for, which must be there; for the reader. */
    public void read(ByteBuffer into) {
        int length = into.remaining();
        int at = (int) read & (capacityBytes - 1);
        int first = Math.min(length, capacityBytes - at);
        into.put(into.position(), memory, HEAD_BYTES + at, first);
        into.put(into.position() + first, memory, HEAD_BYTES, length - first);
        into.position(into.limit());
        read += length;
        LONGS.setRelease(memory, READ_AT, read);
    }

    /**
     * Says that the reader will sleep until it is woken; for the reader.
     *
     * @return false if there is something to read, and it must not sleep
     * @throws IOException if the numbers in the file are wrong
     */
    public boolean trySleep() throws IOException {
        INTS.setVolatile(memory, ASLEEP_AT, 1);
        VarHandle.fullFence(); // The other half of the one in mustWake.
        if (available() == 0) {
            return true;
        }
        INTS.setVolatile(memory, ASLEEP_AT, 0);
        return false;
    }

    /** Has the writer wake nobody, although the reader has said that it sleeps; for a reader that looks again by itself. */
    public void stayAwake() {
        INTS.setVolatile(memory, ASLEEP_AT, 0);
    }

    /**
     * Gives up this side's mapping at once, and does not wait for the garbage collector. Nothing may be called afterwards, except this
     * method: the memory is not there any longer. For one side; the other one keeps its mapping.
     */
    @Override
    public void close() {
        try {
            UNMAP.invokeExact((ByteBuffer) memory);
        } catch (Throwable e) {
            throw new IllegalStateException("A ring of " + capacityBytes + " bytes cannot be unmapped.", e);
        }
    }

    /** What unmaps a buffer; twice does no harm. Java has no public method for it before version 22. */
    private static MethodHandle unmap() {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field only = type.getDeclaredField("theUnsafe");
            only.setAccessible(true);
            return MethodHandles.lookup().findVirtual(type, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                .bindTo(only.get(null));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
