package io.eyewall.transport.fabric;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.transport.fabric.binding.Fabric;
import io.eyewall.transport.fabric.link.Link;
import io.eyewall.transport.fabric.link.driver.EndpointDriver;
import io.eyewall.transport.fabric.link.frame.Hello;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Which packages may depend on which: Storm's transport on links, links on drivers and frames, drivers on frames and the binding. None
 * depends on a package above it.
 */
class LayersTest {

    private static final String STORM = "org/apache/storm/";
    private static final String CLIENT_EXCEPT_CLOCK = "io/eyewall/client/(?!time/)";
    private static final String TRANSPORT = "io/eyewall/transport/fabric/";
    /** The classes of a package, without those of its sub-packages. */
    private static final String CLASSES = "[A-Z]";

    @Test
    void shouldHaveLinksThatKnowNothingOfStorm() throws Exception {
        for (Class<?> layer : List.of(Link.class, EndpointDriver.class, Hello.class, Fabric.class)) {
            assertEquals(List.of(), classesThatName(STORM, layer));
            assertEquals(List.of(), classesThatName(CLIENT_EXCEPT_CLOCK, layer));
            assertEquals(List.of(), classesThatName(TRANSPORT + CLASSES, layer));
        }
    }

    @Test
    void shouldHaveDriversThatKnowNothingOfLinks() throws Exception {
        assertEquals(List.of(), classesThatName(TRANSPORT + "link/" + CLASSES, EndpointDriver.class));
        assertTrue(classesThatName(TRANSPORT + "link/driver/" + CLASSES, Link.class).size() > 5, "the search finds what is there");
    }

    @Test
    void shouldHaveFramesThatKnowNothingButThemselves() throws Exception {
        assertEquals(List.of(), classesThatName(TRANSPORT + "(binding|link/driver)/|" + TRANSPORT + "link/" + CLASSES, Hello.class));
    }

    @Test
    void shouldHaveABindingThatKnowsNothingOfLinks() throws Exception {
        assertEquals(List.of(), classesThatName(TRANSPORT + "link/", Fabric.class));
        assertTrue(classesThatName(TRANSPORT + "binding/", EndpointDriver.class).size() > 5, "the search finds what is there");
    }

    /** The classes in the package of a class whose constants contain what the regular expression finds. */
    private static List<String> classesThatName(String expression, Class<?> inPackage) throws Exception {
        Path folder = Path.of(inPackage.getProtectionDomain().getCodeSource().getLocation().toURI())
            .resolve(inPackage.getPackageName().replace('.', '/'));
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).sorted().toList()) {
                if (contains(file, expression)) {
                    found.add(file.getFileName().toString());
                }
            }
        }
        return found;
    }

    private static boolean contains(Path file, String expression) throws IOException {
        return Pattern.compile(expression).matcher(new String(Files.readAllBytes(file), ISO_8859_1)).find();
    }
}
