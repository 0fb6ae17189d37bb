package io.eyewall.client.security;

import java.util.List;
import java.util.Map;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.ControlMessage;
import org.apache.storm.messaging.netty.MessageDecoder;
import org.apache.storm.messaging.netty.SaslMessageToken;
import org.apache.storm.messaging.netty.SaslStormClientHandler;
import org.apache.storm.messaging.netty.SaslStormServerHandler;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.handler.codec.TooLongFrameException;

/**
 * The decoder of one connection between workers, at either end. Upstream's believes each length that a stranger sends, and deserializes
 * objects before it knows who sends them (CVE-2026-82435). This one looks at the heads of messages first: each has a bound, and until the
 * connection is authenticated, where it must be, there is nothing except the handshake. Behind it, who has connected sends tuples and
 * nothing else. A connection that breaks the rule is closed. A server of upstream's sends loads and back-pressure to all its connections,
 * those in the handshake included: whoever connects passes over them without decoding. For the connection's event loop.
 */
public final class BoundedDecoder extends MessageDecoder {

    /** The longest token of a handshake, in bytes. */
    static final int MAX_TOKEN_BYTES = 64 * 1024;
    /** The longest message that is passed over, in bytes. */
    private static final int MAX_PASSED_BYTES = 1024 * 1024;

    private static final int CODE_BYTES = Short.BYTES;
    private static final int HEAD_BYTES = CODE_BYTES + Integer.BYTES;
    /** Codes from here on are tasks, and -1 stands for the loads of tasks. */
    private static final int FIRST_TASK = -1;

    private final long maxBytes;
    private final boolean connects;
    private boolean handshakeOver;

    /**
     * The decoder of a connection of this worker.
     *
     * @param connects whether this worker has connected; if not, it has accepted
     * @throws IllegalArgumentException names the key whose value is wrong, and what is allowed
     */
    public BoundedDecoder(KryoValuesDeserializer values, Map<String, Object> conf, boolean connects) {
        super(values);
        this.connects = connects;
        maxBytes = new SecurityConfiguration(conf).maxMessageBytes();
    }

    /** How long a message may be. */
    public long maxBytes() {
        return maxBytes;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        if (!handshakeOver) {
            handshakeOver = context.pipeline().get(SaslStormServerHandler.class) == null
                && context.pipeline().get(SaslStormClientHandler.class) == null;
        }
        if (!handshakeOver && connects && !passOver(in)) {
            return;
        }
        String fault = fault(in);
        if (fault != null) {
            in.skipBytes(in.readableBytes());
            throw new TooLongFrameException(fault);
        }
        super.decode(context, in, out);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (connects || !ConnectionFailures.close(context, cause)) {
            super.exceptionCaught(context, cause);
        }
    }

    /** Skips what does not belong to the handshake. Returns whether what comes next has arrived. */
    private static boolean passOver(ByteBuf in) {
        while (in.readableBytes() >= CODE_BYTES) {
            short code = in.getShort(in.readerIndex());
            ControlMessage control = ControlMessage.mkMessage(code);
            if (control == ControlMessage.EOB_MESSAGE) {
                in.skipBytes(CODE_BYTES);
                continue;
            }
            if (control != null || code == SaslMessageToken.IDENTIFIER) {
                return true;
            }
            if (in.readableBytes() < HEAD_BYTES) {
                return false;
            }
            int lengthBytes = in.getInt(in.readerIndex() + CODE_BYTES);
            if (lengthBytes < 0 || lengthBytes > MAX_PASSED_BYTES) {
                return true;
            }
            if (lengthBytes > in.readableBytes() - HEAD_BYTES) {
                return false;
            }
            in.skipBytes(HEAD_BYTES + lengthBytes);
        }
        return true;
    }

    /** What to say of a message that is longer than the bound. */
    public static String tooLong(int lengthBytes, long boundBytes) {
        return "A peer announced a message of " + lengthBytes + " bytes, but it may have " + boundBytes + ". If tuples of the topology"
            + " are that large, raise " + SecurityConfiguration.MAX_MESSAGE_BYTES + ". If not, it is no worker of this topology.";
    }

    /** What is wrong with the messages that upstream's decoder would take at once; null for nothing. */
    private String fault(ByteBuf in) {
        int at = in.readerIndex();
        int end = in.writerIndex();
        while (end - at >= CODE_BYTES) {
            short code = in.getShort(at);
            boolean token = code == SaslMessageToken.IDENTIFIER;
            boolean status = code == BackPressureStatus.IDENTIFIER;
            ControlMessage control = code < FIRST_TASK && !token && !status ? ControlMessage.mkMessage(code) : null;
            if (control == ControlMessage.EOB_MESSAGE) {
                at += CODE_BYTES;
                continue;
            }
            boolean greets = !handshakeOver && (token || control == ControlMessage.SASL_TOKEN_MESSAGE_REQUEST);
            if (!connects && !greets && (token || status || control != null)) {
                return "A peer sent what begins with " + code + ", which no worker sends to one that it has connected to.";
            }
            if (control != null) {
                return null;
            }
            if (!handshakeOver && !token) {
                return "A peer sent what begins with " + code + " before it was authenticated.";
            }
            if (end - at < HEAD_BYTES) {
                return null;
            }
            int lengthBytes = in.getInt(at + CODE_BYTES);
            long bound = token ? MAX_TOKEN_BYTES : maxBytes;
            if (lengthBytes < 0 || lengthBytes > bound) {
                return tooLong(lengthBytes, bound);
            }
            if (token || status || lengthBytes == 0 || lengthBytes > end - at - HEAD_BYTES) {
                return null;
            }
            at += HEAD_BYTES + lengthBytes;
        }
        return null;
    }
}
