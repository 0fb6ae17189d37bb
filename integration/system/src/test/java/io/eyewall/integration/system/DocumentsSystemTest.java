package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents of the installation, as their reader there has them. */
class DocumentsSystemTest {

    /** What a Markdown link or picture points to, without its anchor. */
    private static final Pattern TARGET = Pattern.compile("]\\(([^)#\\s]+)");

    @Test
    void shouldLeadSomewhereWithEveryLinkAndPicture() throws IOException {
        Path home = Path.of(System.getProperty("eyewall.home"));
        List<Path> documents;
        try (Stream<Path> files = Files.walk(home)) {
            documents = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Path document : documents) {
            Matcher target = TARGET.matcher(Files.readString(document));
            while (target.find()) {
                if (!target.group(1).contains(":")) {
                    links++;
                    if (!Files.exists(document.resolveSibling(target.group(1)))) {
                        dead.add(home.relativize(document) + ": " + target.group(1));
                    }
                }
            }
        }

        assertTrue(links > documents.size(), links + " links in " + documents);
        assertEquals(List.of(), dead);
    }
}
