package io.eyewall.client.stream.wire;

import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.ByteBufAllocator;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandler;
import org.apache.storm.shade.io.netty.handler.codec.LengthFieldBasedFrameDecoder;

/**
 * The form of messages between an instance and its stream manager: a length of four bytes, a byte of type, and the content. A message with
 * tuples begins with a task of the instance that it is for, and then has what Storm's transport would send: the task in two bytes, or the
 * number that stands for a frame, and the message's bytes. All tuples of a frame are for the task that it begins with.
 */
public final class StreamWire {

    /** The first message of an instance: a {@link Hello}. */
    public static final byte HELLO = 1;
    /** Tuples. */
    public static final byte DATA = 2;
    /** A {@link InstanceStatus}. */
    public static final byte STATUS = 3;
    /**
     * The end of the tuples in one direction. An instance that leaves sends it to get no more tuples, and the stream manager sends it
     * back behind the last one. The instance sends it again behind its own last tuple, and the stream manager closes the connection.
     */
    public static final byte LEAVE = 4;
    /** The answer to a greeting that offers rings: everything else is in them. From now on the socket carries only wake-ups. */
    public static final byte RINGS_TAKEN = 5;
    /** The answer to a greeting that offers rings which the stream manager cannot open: everything else comes over the socket. */
    public static final byte RINGS_REFUSED = 6;

    /** The task to which stream managers address an {@link InstanceStatus}. Storm, frames and rings have other numbers. */
    public static final int STATUS_TASK = -710;

    /** The longest tuple that a stream manager takes, with those that are in its frame already. */
    public static final int MAX_TUPLE_BYTES = ForwardingSplitter.MAX_BYTES - (64 << 10);

    /** The bytes in front of the content. */
    static final int HEAD_BYTES = Integer.BYTES + Byte.BYTES;
    /** Where a message with tuples has what Storm's transport would send. */
    static final int TASK_AT = HEAD_BYTES + Integer.BYTES;
    private static final int TUPLES_AT = TASK_AT + Short.BYTES;
    /** Where a message {@linkplain #isOfOneTuple of one tuple} has what Storm's serializer has written. */
    public static final int TUPLE_AT = TUPLES_AT;
    /** As long as a message of Storm's transport can be. */
    private static final int MAX_BYTES = Integer.MAX_VALUE;

    private StreamWire() {
    }

    /**
     * A handler that cuts the bytes that arrive into messages, including their heads. It allocates nothing for bytes that have not arrived.
     */
    public static ChannelInboundHandler splitter() {
        return splitter(MAX_BYTES);
    }

    /** The same until the other end is known, for messages no longer than a greeting. */
    public static ChannelInboundHandler greetingSplitter() {
        return splitter(HEAD_BYTES + Hello.MAX_BYTES);
    }

    private static ChannelInboundHandler splitter(int mostBytes) {
        return new LengthFieldBasedFrameDecoder(mostBytes, 0, Integer.BYTES);
    }

    /**
     * The type of a message.
     *
     * @throws WireException if it has none
     */
    public static byte type(ByteBuf message) throws WireException {
        require(message, HEAD_BYTES);
        return message.getByte(message.readerIndex() + Integer.BYTES);
    }

    /** Skips what is in front of the content, and returns the same buffer. */
    public static ByteBuf content(ByteBuf message) throws WireException {
        require(message, HEAD_BYTES);
        return message.skipBytes(HEAD_BYTES);
    }

    /** A greeting, with its head. */
    public static ByteBuf message(ByteBufAllocator buffers, Hello hello) {
        ByteBuf message = buffers.buffer();
        message.writeInt(0).writeByte(HELLO);
        hello.write(message);
        return message.setInt(0, message.readableBytes() - Integer.BYTES);
    }

    /** A status, with its head. */
    public static ByteBuf message(ByteBufAllocator buffers, InstanceStatus status) {
        ByteBuf message = buffers.buffer();
        message.writeInt(0).writeByte(STATUS);
        status.write(message);
        return message.setInt(0, message.readableBytes() - Integer.BYTES);
    }

    /** A message of type {@link #LEAVE}. */
    public static ByteBuf leave(ByteBufAllocator buffers) {
        return empty(buffers, LEAVE);
    }

    /** The answer to a greeting that offers rings. */
    public static ByteBuf answer(ByteBufAllocator buffers, boolean areTaken) {
        return empty(buffers, areTaken ? RINGS_TAKEN : RINGS_REFUSED);
    }

    private static ByteBuf empty(ByteBufAllocator buffers, byte type) {
        return buffers.buffer(HEAD_BYTES).writeInt(Byte.BYTES).writeByte(type);
    }

    /** Tuples for a task, with their head: a copy of the message's bytes in a buffer of the pool. */
    public static ByteBuf message(ByteBufAllocator buffers, int target, TaskMessage tuples) {
        byte[] bytes = tuples.message();
        int length = TUPLES_AT + bytes.length - Integer.BYTES;
        return buffers.directBuffer(Integer.BYTES + length).writeInt(length).writeByte(DATA).writeInt(target)
            .writeShort(tuples.task()).writeBytes(bytes);
    }

    /** Whether a message with these tuples is not longer than a stream manager takes. */
    public static boolean fits(TaskMessage tuples) {
        return tuples.message().length <= ForwardingSplitter.MAX_BYTES - TUPLES_AT;
    }

    /** Whether a message with tuples has one, as Storm's transport sends it, and no frame. It has a target. */
    public static boolean isOfOneTuple(ByteBuf message) {
        return message.readableBytes() > TUPLES_AT && message.getShort(message.readerIndex() + TASK_AT) >= 0;
    }

    /** The task to which the tuples of a message go. */
    public static int target(ByteBuf message) throws WireException {
        require(message, TUPLES_AT);
        return message.getInt(message.readerIndex() + HEAD_BYTES);
    }

    /** A message with tuples as it goes to another container: addressed to the task. */
    public static TaskMessage forContainer(ByteBuf message) throws WireException {
        int target = target(message);
        byte[] bytes = new byte[message.readableBytes() - TASK_AT];
        message.getBytes(message.readerIndex() + TASK_AT, bytes);
        return new TaskMessage(target, bytes);
    }

    /** A message that another container has made with {@link #forContainer}, as it goes to the instance. */
    public static ByteBuf fromContainer(ByteBufAllocator buffers, TaskMessage message) {
        byte[] bytes = message.message();
        int length = TASK_AT + bytes.length - Integer.BYTES;
        return buffers.directBuffer(Integer.BYTES + length).writeInt(length).writeByte(DATA).writeInt(message.task()).writeBytes(bytes);
    }

    /** The message of Storm's transport in a message with tuples. */
    public static TaskMessage tuples(ByteBuf message) throws WireException {
        require(message, TUPLES_AT);
        message.skipBytes(TASK_AT);
        int task = message.readShort();
        byte[] bytes = new byte[message.readableBytes()];
        message.readBytes(bytes);
        return new TaskMessage(task, bytes);
    }

    private static void require(ByteBuf message, int bytes) throws WireException {
        if (message.readableBytes() < bytes) {
            throw new WireException("A message of " + message.readableBytes() + " bytes, which must have at least " + bytes + ".");
        }
    }
}
