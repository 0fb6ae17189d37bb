package io.eyewall.transport.fabric;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.transport.fabric.binding.Fabric;
import io.eyewall.transport.fabric.link.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may know whom: Storm's transport knows links, links know the binding, and the others know nothing of those above them. */
class LayersTest {

    private static final String TRANSPORT = "io/eyewall/transport/fabric/";

    @Test
    void shouldHaveLinksThatKnowNothingOfStorm() throws Exception {
        assertEquals(List.of(), classesThatName("org/apache/storm/", Link.class));
        assertEquals(List.of(), classesThatName("io/eyewall/client/(?!time/)", Link.class));
        assertTrue(classesThatName(TRANSPORT + "binding/", Link.class).size() > 5, "what is looked for is found where it is");
    }

    @Test
    void shouldHaveABindingThatKnowsNothingOfLinksOrStorm() throws Exception {
        assertEquals(List.of(), classesThatName("org/apache/storm/", Fabric.class));
        assertEquals(List.of(), classesThatName("io/eyewall/client/", Fabric.class));
        assertEquals(List.of(), classesThatName(TRANSPORT + "link/", Fabric.class));
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
