package io.eyewall.client.security;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Lengths in messages. */
class BoundedInputTest {

    private static final int LONG = 1 << 30;

    @Test
    void shouldReadWhatWasWritten() {
        Output output = new Output(100, -1);
        List<String> texts = List.of("", "a", "words", "wörter", "é", "x".repeat(70));
        texts.forEach(output::writeString);
        output.writeString(null);
        output.writeBytes(new byte[] {1, 2});
        output.writeLongs(new long[] {1, -1}, 0, 2, false);
        Input input = input(output.toBytes());
        for (String text : texts) {
            assertEquals(text, input.readString());
        }
        assertEquals(null, input.readString());
        assertArrayEquals(new byte[] {1, 2}, input.readBytes(2));
        assertArrayEquals(new long[] {1, -1}, input.readLongs(2, false));
        assertTrue(input.end());
    }

    @Test
    void shouldMakeNoArrayForALengthThatNothingFollows() {
        Output output = new Output(100, -1);
        output.writeVarIntFlag(true, LONG, true);
        output.writeByte(1);
        Input text = input(output.toBytes());
        KryoException refused = assertThrows(KryoException.class, text::readString);
        assertEquals("A length of 1073741823 is announced in a message that has 1 bytes more.", refused.getMessage());
        assertThrows(KryoException.class, input(output.toBytes())::readStringBuilder);
        for (BiFunction<Input, Integer, Object> read : List.<BiFunction<Input, Integer, Object>>of(Input::readBytes, Input::readInts,
                Input::readLongs, Input::readFloats, Input::readDoubles, Input::readShorts, Input::readChars, Input::readBooleans,
                (input, length) -> input.readInts(length, true), (input, length) -> input.readLongs(length, true))) {
            assertThrows(KryoException.class, () -> read.apply(input(new byte[9]), LONG));
        }
    }

    private static Input input(byte[] message) {
        Input input = BoundedInput.of(1);
        input.setBuffer(message);
        return input;
    }
}
