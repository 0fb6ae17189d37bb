package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.storm.messaging.netty.ConnectingWorker;
import org.apache.storm.messaging.netty.DecoderAttack;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker does for a stranger who reaches its port. */
class DecoderCve202682435Test {

    private static final int TASK = 1;
    private static final int STATUS = -600;
    private static final int FRAME = -700;
    private static final int TOKEN_REQUEST = -202;
    private static final int TOKEN = -500;
    private static final int LOADS = -1;
    private static final int END_OF_BATCH = -201;

    @Test
    void shouldNotWaitForAMessageThatIsTooLong() throws Exception {
        assertEquals(true, Upstream.attackedBy(DecoderAttack.Length.class));

        assertFalse(new DecoderAttack.Length().call());
    }

    @Test
    void shouldNotWaitForATokenThatIsTooLong() throws Exception {
        assertEquals(true, Upstream.attackedBy(DecoderAttack.Token.class));

        assertFalse(new DecoderAttack.Token().call());
    }

    @Test
    void shouldDeserializeNothingOfAStranger() throws Exception {
        assertEquals(true, Upstream.attackedBy(DecoderAttack.Gadget.class));

        assertFalse(new DecoderAttack.Gadget().call());
    }

    @ParameterizedTest
    @ValueSource(ints = {TASK, STATUS, FRAME})
    void shouldTakeNoLengthThatNoMessageHas(int code) {
        assertFalse(DecoderAttack.takes(false, DecoderAttack.head(code, -1)));
        assertFalse(DecoderAttack.takes(false, DecoderAttack.head(code, Integer.MAX_VALUE)));
        assertFalse(DecoderAttack.takes(false, DecoderAttack.head(TASK, 3).writeZero(3), DecoderAttack.head(code, Integer.MAX_VALUE)));
    }

    @ParameterizedTest
    @ValueSource(ints = {TASK, FRAME})
    void shouldTakeMessagesInParts(int code) {
        assertTrue(DecoderAttack.takes(false, Unpooled.buffer().writeByte(code >> 8), Unpooled.buffer().writeByte(code).writeByte(0),
            Unpooled.buffer().writeByte(0).writeShort(1_000), Unpooled.buffer().writeZero(999), Unpooled.buffer().writeZero(1)));
    }

    @Test
    void shouldTakeNothingExceptTheHandshakeFromAStranger() {
        assertFalse(DecoderAttack.takes(true, DecoderAttack.head(TASK, 3).writeZero(3)));
        assertFalse(DecoderAttack.takes(true, DecoderAttack.head(FRAME, 3).writeZero(3)));
        assertTrue(DecoderAttack.takes(true, Unpooled.buffer().writeShort(TOKEN_REQUEST)));
        assertTrue(DecoderAttack.takes(true, DecoderAttack.head(TOKEN, 1_000).writeZero(10)));
    }

    @Test
    void shouldPassOverWhatAServerSendsToAllWhoConnectDuringTheHandshake() throws Exception {
        ByteBuf loads = DecoderAttack.head(LOADS, 10).writeZero(10).writeShort(END_OF_BATCH);
        ByteBuf status = DecoderAttack.head(STATUS, 5).writeZero(5);
        assertTrue(ConnectingWorker.takes(loads.copy().writeBytes(status.copy()), loads.copy(0, 7), loads.copy(7, 11), status.copy(0, 3),
            status.copy(3, 8), DecoderAttack.head(TOKEN, 1_000)));

        assertFalse(ConnectingWorker.takes(DecoderAttack.head(STATUS, Integer.MAX_VALUE)));
        assertFalse(ConnectingWorker.takes(loads.copy(), DecoderAttack.head(TOKEN, 1_000_000)));
    }
}
