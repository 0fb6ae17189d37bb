package io.eyewall.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CounterReaderTest {

    private static final String HEADER = "epochMs,emitted,acked,failed,received\n";

    @TempDir
    private Path directory;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("spout-1.csv");
    }

    @Test
    void shouldInterpolateBetweenLines() throws IOException {
        CounterReader reader = reader(HEADER + "10000,100,80,2,0\n11000,300,280,4,0\n");

        assertEquals(new Counts(200, 180, 3, 0), reader.at(10_500));
        assertEquals(new Counts(300, 280, 4, 0), reader.at(11_000));
    }

    @Test
    void shouldCountFromZeroInTheSecondBeforeTheFirstLine() throws IOException {
        CounterReader reader = reader(HEADER + "10000,100,80,2,0\n");

        assertEquals(Counts.NONE, reader.at(8_000));
        assertEquals(50, reader.at(9_500).emitted());
    }

    @Test
    void shouldHoldTheLastCountsUntilThereIsANewLine() throws IOException {
        CounterReader reader = reader(HEADER + "10000,100,80,2,0\n");
        assertEquals(100, reader.at(12_000).emitted());

        MeasureFiles.append(file, "11000,300,280,4,0\n12000,40");
        reader.poll();
        assertEquals(300, reader.at(12_000).emitted());
    }

    @Test
    void shouldKeepWhatWasCountedBeforeARestart() throws IOException {
        CounterReader reader = reader(HEADER + "10000,100,80,2,0\n11000,300,280,4,0\n");

        Files.writeString(file, HEADER + "15000,10,10,0,0\n");
        reader.poll();

        assertEquals(new Counts(310, 290, 4, 0), reader.latest());
        assertEquals(300, reader.at(11_000).emitted());
    }

    @Test
    void shouldKeepWhatWasCountedBeforeARestartThatAppends() throws IOException {
        CounterReader reader = reader(HEADER + "10000,100,80,2,0\n11000,300,280,4,0\n15000,10,10,0,0\n16000,30,30,0,0\n");

        assertEquals(new Counts(330, 310, 4, 0), reader.latest());
        assertEquals(320, reader.at(15_500).emitted());
    }

    @Test
    void shouldCountNothingWhileATaskIsAway() throws IOException {
        CounterReader reader = reader(HEADER + "10000,100,80,2,0\n11000,300,280,4,0\n15000,10,10,0,0\n15500,8,8,0,0\n");

        assertEquals(300, reader.at(13_000).emitted());
        assertEquals(305, reader.at(14_500).emitted());
        assertEquals(310, reader.at(15_000).emitted());
        assertEquals(318, reader.at(15_500).emitted());
    }

    @Test
    void shouldTakeAnEmptyFieldAsACounterThatTheComponentDoesNotHave() throws IOException {
        assertEquals(new Counts(0, 0, 0, 7), reader(HEADER + "10000,,,,7\n").latest());
    }

    @Test
    void shouldNameFileAndLineWhenTheHeaderIsForeign() {
        String message = assertThrows(BadFileException.class, () -> reader("name,price\n")).getMessage();

        assertTrue(message.startsWith(file + ":1: expected the header epochMs,"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10000,1,2,3", "10000,1,2,3,4,5", "10000,one,2,3,4", "", "now,1,2,3,4"})
    void shouldNameFileAndLineWhenALineIsForeign(String line) {
        String message = assertThrows(BadFileException.class, () -> reader(HEADER + "9000,0,0,0,0\n" + line + "\n")).getMessage();

        assertTrue(message.startsWith(file + ":3: expected "), message);
        assertTrue(message.endsWith("'" + line + "'"), message);
    }

    private CounterReader reader(String content) throws IOException {
        Files.writeString(file, content);
        CounterReader reader = new CounterReader(file);
        reader.poll();
        return reader;
    }
}
