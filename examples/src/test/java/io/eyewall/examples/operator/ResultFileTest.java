package io.eyewall.examples.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {

    @TempDir
    private Path directory;

    @Test
    void shouldReadBackEveryKeyWhenItHoldsSeparators() throws IOException {
        Map<String, Long> counts = Map.of("a\tb", 1L, "line\nbreak\r", 2L, "back\\slash\\n", 3L, "", 4L);
        new ResultFile(directory, "output", 5, 100).write(counts);

        assertEquals(counts, ResultFile.read(directory, "output"));
        assertEquals(4, Files.readAllLines(directory.resolve("output-5-100.tsv")).size());
    }

    @Test
    void shouldAddUpOnlyTheTasksOfTheComponent() throws IOException {
        new ResultFile(directory, "output", 5, 100).write(Map.of("x", 1L, "y", 1L));
        new ResultFile(directory, "output", 6, 100).write(Map.of("x", 2L));
        new ResultFile(directory, "output-1", 7, 100).write(Map.of("x", 100L));

        assertEquals(Map.of("x", 3L, "y", 1L), ResultFile.read(directory, "output"));
    }

    @Test
    void shouldAddUpATaskAndItsReplacementAfterARestart() throws IOException {
        new ResultFile(directory, "output", 5, 100).write(Map.of("x", 1L));
        new ResultFile(directory, "output", 5, 200).write(Map.of("x", 2L));

        assertEquals(Map.of("x", 3L), ResultFile.read(directory, "output"));
    }

    @Test
    void shouldReplaceTheFileWhenATaskWritesAgain() throws IOException {
        new ResultFile(directory, "output", 5, 100).write(Map.of("x", 1L));
        new ResultFile(directory, "output", 5, 100).write(Map.of("x", 2L));

        assertEquals(List.of("2\tx"), Files.readAllLines(directory.resolve("output-5-100.tsv")));
    }

    @Test
    void shouldReadNothingWhenThereIsNoFile() throws IOException {
        assertEquals(Map.of(), ResultFile.read(directory.resolve("absent"), "output"));
    }
}
