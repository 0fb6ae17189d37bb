package io.eyewall.transport.fabric.binding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import io.eyewall.transport.fabric.RequiresLibfabric;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

@RequiresLibfabric
class SignalHandlersTest {

    private static final Map<String, Integer> SIGNALS =
        new TreeMap<>(Map.of("INT", 2, "QUIT", 3, "ILL", 4, "ABRT", 6, "BUS", 7, "FPE", 8, "SEGV", 11, "TERM", 15));

    @Test
    void shouldKeepTheSignalHandlersOfTheRuntimeWhenTheLibraryIsLoaded() throws Exception {
        // Another process, since another test may have loaded the library in this one.
        Process child = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"),
            SignalHandlersTest.class.getName()).redirectErrorStream(true).start();
        String printed = new String(child.getInputStream().readAllBytes(), UTF_8);
        List<String> output = printed.lines().filter(line -> line.contains("handlers")).toList();
        assertEquals(0, child.waitFor(), printed);
        assertEquals(2, output.size(), printed);
        assertTrue(output.get(0).matches("handlers \\{ABRT=.*, SEGV=[1-9a-f][0-9a-f]+.*\\}"), output.get(0));
        assertEquals(output.get(0), output.get(1));
    }

    /** Prints the handlers before and after the library is loaded and its providers are looked up. */
    public static void main(String[] arguments) {
        System.out.println("handlers " + handlers());
        FabricInfo.of(new FabricQuery(EndpointType.CONNECTED, "tcp", "127.0.0.1", 0, true)).close();
        System.out.println("handlers " + handlers());
    }

    private static Map<String, String> handlers() {
        Function sigaction = NativeLibrary.getInstance("c").getFunction("sigaction");
        Map<String, String> handlers = new TreeMap<>();
        SIGNALS.forEach((name, number) -> {
            try (Memory action = new Memory(256)) {
                action.clear();
                assertEquals(0, sigaction.invokeInt(new Object[] {number, null, action}));
                handlers.put(name, Long.toHexString(action.getLong(0)));
            }
        });
        return handlers;
    }
}
