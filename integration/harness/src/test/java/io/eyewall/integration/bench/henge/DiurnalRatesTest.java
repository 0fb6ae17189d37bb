package io.eyewall.integration.bench.henge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiurnalRatesTest {

    @TempDir
    private Path directory;

    @Test
    void shouldMakeDaysWithAPeakInTheAfternoonAndTheSameForTheSameSeed() {
        double[] hours = DiurnalRates.generate(5, 2, 48);

        assertEquals(1, DoubleStream.of(hours).average().orElseThrow(), 1e-9);
        for (int day = 0; day < 2; day++) {
            int first = 24 * day;
            double night = IntStream.range(first, first + 4).mapToDouble(hour -> hours[hour]).average().orElseThrow();
            double noon = IntStream.range(first + 12, first + 16).mapToDouble(hour -> hours[hour]).average().orElseThrow();
            assertTrue(noon > 2 * night && noon < 6 * night, noon + " after " + night);
        }
        assertArrayEquals(hours, DiurnalRates.generate(5, 2, 48));
        assertTrue(hours[3] != DiurnalRates.generate(6, 2, 48)[3]);
        assertTrue(DoubleStream.of(DiurnalRates.generate(7, 3, 5_000)).min().orElseThrow() > 0);
    }

    @Test
    void shouldReadTheMeansOfATraceOfTimesAndValues() throws IOException {
        // Three steps of four minutes; nothing in the second.
        assertArrayEquals(new double[] {0.5, 0.5, 2}, DiurnalRates.read(trace("minute,requests\n0,2\n3,4\n9,12\n12,12\n"), 3), 1e-9);
    }

    @Test
    void shouldReadTheMeansOfATraceOfMachinesInAnyOrder() throws IOException {
        String lines = "m_1,30,40,92,,,43.04,33.08,5\nm_2,30,20,1,,,,,5\nm_1,10,10,92,,,43.04,33.08,5\n";

        assertArrayEquals(new double[] {0.5, 1.5}, DiurnalRates.read(trace(lines), 2), 1e-9);
    }

    @Test
    void shouldRefuseSomethingElse() throws IOException {
        for (String contents : new String[] {"", "time,value\n1,5\n", "1,5\n1,6\n", "1,5\n2,-1\n", "1,0\n2,0\n", "1,5\n2,NaN\n"}) {
            Path file = trace(contents);
            assertEquals("--rates: " + file + " needs values at two times or more, none below 0 and one above 0",
                assertThrows(IllegalArgumentException.class, () -> DiurnalRates.read(file, 2)).getMessage());
        }
        Path file = trace("time,value\n1,5\nsoon,6\n");
        String message = assertThrows(IllegalArgumentException.class, () -> DiurnalRates.read(file, 2)).getMessage();
        assertTrue(message.startsWith("--rates: line 3 of " + file + " is 'soon,6', but must be a time and a value"), message);
    }

    private Path trace(String contents) throws IOException {
        return Files.writeString(directory.resolve("trace.csv"), contents);
    }
}
