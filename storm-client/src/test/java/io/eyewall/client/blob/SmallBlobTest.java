package io.eyewall.client.blob;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import org.apache.storm.generated.BeginDownloadResult;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TException;
import org.junit.jupiter.api.Test;

class SmallBlobTest {

    private static final String KEY = "eyewall-report";

    @Test
    void shouldPutTheChunksTogether() throws TException {
        assertArrayEquals("eyewall".getBytes(StandardCharsets.UTF_8), SmallBlob.read(nimbus("eye", "wall"), KEY).orElseThrow());
        assertEquals(Optional.of("eyewall"), SmallBlob.text(nimbus("eye", "wall"), KEY));
        assertEquals(0, SmallBlob.read(nimbus(), KEY).orElseThrow().length);
    }

    @Test
    void shouldBeEmptyWhenThereIsNoSuchBlob() throws TException {
        assertEquals(Optional.empty(), SmallBlob.read(nimbus(), "nothing"));
    }

    @Test
    void shouldReadNoMoreThanTheBoundAndSayWhatToDo() throws TException {
        String most = "x".repeat(SmallBlob.MAX_BYTES);
        assertEquals(SmallBlob.MAX_BYTES, SmallBlob.read(nimbus(most), KEY).orElseThrow().length);

        TException refused = assertThrows(TException.class, () -> SmallBlob.read(nimbus(most, "y"), KEY));

        assertTrue(refused.getMessage().contains("storm blobstore delete " + KEY), refused::getMessage);
    }

    /** A Nimbus that has one blob, which it hands out in these chunks. */
    private static Nimbus.Iface nimbus(String... chunks) {
        Deque<String> left = new ArrayDeque<>(Arrays.asList(chunks));
        return (Nimbus.Iface) Proxy.newProxyInstance(SmallBlobTest.class.getClassLoader(), new Class<?>[] {Nimbus.Iface.class},
            (self, method, arguments) -> switch (method.getName()) {
                case "beginBlobDownload" -> {
                    if (!arguments[0].equals(KEY)) {
                        throw new KeyNotFoundException(arguments[0].toString());
                    }
                    yield new BeginDownloadResult(0, "session");
                }
                case "downloadBlobChunk" ->
                    ByteBuffer.wrap((left.isEmpty() ? "" : left.removeFirst()).getBytes(StandardCharsets.UTF_8));
                default -> throw new AssertionError(method);
            });
    }
}
