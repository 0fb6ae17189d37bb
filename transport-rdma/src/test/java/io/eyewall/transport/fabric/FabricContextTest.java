package io.eyewall.transport.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.jna.Native;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class FabricContextTest {

    private static final String REASON = "Cannot load libfabric.so.1: install the package that holds it";

    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    private final FabricContext withoutLibrary = new FabricContext(() -> {
        throw new IllegalArgumentException(REASON);
    });

    @Test
    void shouldRefuseToStartWithoutTheLibraryAndNameTheRemedies() {
        IllegalStateException failure = assertThrows(IllegalStateException.class, () -> withoutLibrary.prepare(conf, null));
        assertEquals("The libfabric transport cannot start: " + REASON
            + ". To use Netty instead, set storm.messaging.fabric.fallback: netty; then all workers of the topology must use Netty",
            failure.getMessage());
    }

    @Test
    void shouldUseNettyWithoutTheLibraryWhenAllowed() {
        conf.put(FabricConfiguration.FALLBACK, "netty");
        withoutLibrary.prepare(conf, null);
        IConnection server = withoutLibrary.bind("topology-1", 0, messages -> { }, null);
        assertEquals("org.apache.storm.messaging.netty.Server", server.getClass().getName());
        assertInstanceOf(Context.class, withoutLibrary.chosen());
        withoutLibrary.term();
    }

    @Test
    void shouldRefuseValuesOutOfRangeEvenWhenNettyIsAllowed() {
        conf.put(FabricConfiguration.FALLBACK, "netty");
        conf.put(FabricConfiguration.BUFFER_BYTES, 100);
        IllegalArgumentException failure = assertThrows(IllegalArgumentException.class, () -> withoutLibrary.prepare(conf, null));
        assertEquals("storm.messaging.fabric.buffer.bytes is '100', but must be a whole number of bytes from 4096 to 1048576.",
            failure.getMessage());
    }

    @Test
    void shouldLoadItsOwnJna() throws ClassNotFoundException {
        IContext transport = TransportClassLoader.newTransport();
        Class<?> own = transport.getClass().getClassLoader().loadClass(Native.class.getName());
        assertNotSame(Native.class, own);
        assertEquals("fabric", own.getClassLoader().getName());
    }
}
