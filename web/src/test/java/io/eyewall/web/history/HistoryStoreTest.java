package io.eyewall.web.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.watch.MessageLatencies.Percentiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryStoreTest {

    private static final String TOPOLOGY = "orders-1-1763990000";
    private static final long PLENTY = 1L << 30;
    /** The beginning of a day. */
    private static final long START = 1_764_028_800;
    private static final long DAY = 86_400;

    @TempDir
    Path directory;

    @Test
    void shouldReturnWhatWasAppendedInTheOrderOfTime() throws Exception {
        try (HistoryStore store = HistoryStore.open(directory, PLENTY)) {
            append(store, TOPOLOGY, START - 100, START + 7_300);
            append(store, TOPOLOGY + "0", START, START + 100);

            List<Sample> samples = read(store, Tier.FINE, TOPOLOGY, START - 55, START + 3_655);

            assertEquals(LongStream.rangeClosed(-5, 365).mapToObj(i -> Samples.at(START + 10 * i, START + 10 * i)).toList(), samples);
            assertEquals(List.of(), read(store, Tier.FINE, "none", START - DAY, START + DAY));
            assertEquals(Optional.of(Samples.at(START + 7_300, START + 7_300)), store.newest(TOPOLOGY, START + 7_300));
            assertEquals(Optional.of(Samples.at(START + 7_300, START + 7_300)), store.newest(TOPOLOGY, START + 2 * DAY));
            assertEquals(Optional.empty(), store.newest("none", START));
        }
    }

    @Test
    void shouldKeepTheLastSampleOfFiveMinutesWithTheirHighestCapacity() throws Exception {
        try (HistoryStore store = HistoryStore.open(directory, PLENTY)) {
            store.append(TOPOLOGY, Samples.at(START, 1, 10, 0.9));
            store.append(TOPOLOGY, Samples.at(START + 10, 2, 10, 0.2));
            store.append(TOPOLOGY, Samples.at(START + 20, 3, 10, 0.7));
            store.append(TOPOLOGY, Samples.at(START + 300, 4, 10, 0.1));
            store.append(TOPOLOGY, Samples.at(START + 310, 5, 10, 0.3));

            assertEquals(List.of(Samples.at(START, 1, 10, 0.9), Samples.at(START + 300, 4, 10, 0.7), Samples.at(START + 310, 5, 10, 0.3)),
                read(store, Tier.COARSE, TOPOLOGY, START, START + 600));
        }
    }

    @Test
    void shouldKeepWhatWorkersSaidAndInFiveMinutesTheHighestOfIt() throws Exception {
        Sample first = Samples.heard(Samples.at(START + 10, 1), Map.of("a:1", new Sample.Jvm(9, 10, Double.NaN, Double.NaN)),
            new Percentiles(1, 8, 9, new TreeMap<>(Map.of(4, 3L, 79, 1L))));
        Sample second = Samples.heard(Samples.at(START + 20, 2),
            Map.of("a:1", new Sample.Jvm(5, 10, 0.5, 0.25), "b:2", new Sample.Jvm(1, 2, 0.125, 0)),
            new Percentiles(2, 3, 4, new TreeMap<>(Map.of(4, 2L))));
        try (HistoryStore store = HistoryStore.open(directory, PLENTY)) {
            store.append(TOPOLOGY, first);
            store.append(TOPOLOGY, second);

            assertEquals(List.of(first, second), read(store, Tier.FINE, TOPOLOGY, START, START + 20));
            Sample coarse = read(store, Tier.COARSE, TOPOLOGY, START, START + 300).get(0);
            assertEquals(Map.of("a:1", new Sample.Jvm(9, 10, 0.5, 0.25), "b:2", new Sample.Jvm(1, 2, 0.125, 0)), coarse.jvms());
            assertEquals(new Percentiles(2, 8, 9, new TreeMap<>(Map.of(4, 5L, 79, 1L))), coarse.latencies());
            assertEquals(List.of("at " + (START + 10), "at " + (START + 20)), coarse.events().stream().map(Event::text).toList());
        }
    }

    @Test
    void shouldReadWhatAnEarlierVersionHasWritten() {
        Sample sample = Samples.at(START, 1);
        byte[] now = sample.toBytes();
        assertEquals(sample, Sample.of(Arrays.copyOf(now, now.length - 2 * Integer.BYTES - 1)));
    }

    @Test
    void shouldRemoveOnlyWhatIsTooOld() throws Exception {
        try (HistoryStore store = HistoryStore.open(directory, PLENTY)) {
            append(store, TOPOLOGY, START, START + 2 * 3_600);
            store.prune(START + DAY + 3_600);
            assertEquals(START + 3_600, read(store, Tier.FINE, TOPOLOGY, START - DAY, START + DAY).get(0).timeSecs());
            assertEquals(START, read(store, Tier.COARSE, TOPOLOGY, START - DAY, START + DAY).get(0).timeSecs());

            store.prune(START + 31 * DAY);
            assertEquals(List.of(), read(store, Tier.FINE, TOPOLOGY, START - DAY, START + DAY));
            assertEquals(List.of(), read(store, Tier.COARSE, TOPOLOGY, START - DAY, START + DAY));
        }
    }

    @Test
    void shouldLoseTheOldestHoursOfTheTierThatIsTooLarge() throws Exception {
        try (HistoryStore store = HistoryStore.open(directory, 1L << 18)) {
            for (int i = 0; i < 800; i++) {
                append(store, "many-" + i, START, START + 300);
            }
            append(store, "many-7", START + 3_600, START + 3_900);
            store.prune(START + 7_200);

            assertEquals(List.of(), read(store, Tier.FINE, "many-7", START - 3_600, START + 3_590));
            assertEquals(31, read(store, Tier.FINE, "many-7", START + 3_600, START + 7_200).size());
            assertEquals(4, read(store, Tier.COARSE, "many-7", START, START + 7_200).size());
        }
    }

    @Test
    void shouldLoseEvenTheHourThatIsUnderWayWhenItAloneIsTooLargeAndKeepTheOtherTier() throws Exception {
        try (HistoryStore store = HistoryStore.open(directory, 1L << 18)) {
            append(store, "old", START - 3_600, START - 3_000);
            for (int i = 0; i < 800; i++) {
                append(store, "many-" + i, START, START + 300);
            }
            store.prune(START + 400);

            assertEquals(List.of(), read(store, Tier.FINE, "many-7", START - DAY, START + DAY));
            assertEquals(2, read(store, Tier.COARSE, "many-7", START - DAY, START + DAY).size());
            assertEquals(3, read(store, Tier.COARSE, "old", START - DAY, START + DAY).size());
        }
    }

    @Test
    void shouldBeginAnewWhenItProvesToBeDamagedAfterItWasOpened() throws Exception {
        Path files = directory.resolve("history");
        try (HistoryStore store = HistoryStore.open(files, PLENTY)) {
            append(store, TOPOLOGY, START, START + 20_000);
        }
        try (HistoryStore flushed = HistoryStore.open(files, PLENTY)) {
            assertEquals(2_001, read(flushed, Tier.FINE, TOPOLOGY, START, START + 20_000).size());
        }
        for (Path table : files(files).filter(file -> file.toString().endsWith(".sst")).toList()) {
            try (FileChannel channel = FileChannel.open(table, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[2_000]), 0);
            }
        }
        try (HistoryStore damaged = HistoryStore.open(files, PLENTY)) {
            read(damaged, Tier.FINE, TOPOLOGY, START, START + 20_000);
            assertTrue(Files.exists(directory.resolve("history-damaged")));
            append(damaged, TOPOLOGY, START, START + 100);
            assertEquals(11, read(damaged, Tier.FINE, TOPOLOGY, START, START + 20_000).size());
        }
    }

    @Test
    void shouldGoOnAfterARestart() throws Exception {
        try (HistoryStore store = HistoryStore.open(directory, PLENTY)) {
            append(store, TOPOLOGY, START, START + 100);
        }
        try (HistoryStore store = HistoryStore.open(directory, PLENTY)) {
            append(store, TOPOLOGY, START + 110, START + 200);
            assertEquals(21, read(store, Tier.FINE, TOPOLOGY, START, START + 200).size());
        }
    }

    @Test
    void shouldHoldAllButTheEndAfterACrashInTheMiddleOfAWrite(@TempDir Path crashed) throws Exception {
        try (HistoryStore store = HistoryStore.open(directory, PLENTY)) {
            append(store, TOPOLOGY, START, START + 1_000);
            copy(directory, crashed);
        }
        Path log = files(crashed).filter(file -> file.toString().endsWith(".log")).findFirst().orElseThrow();
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 100);
        }
        try (HistoryStore store = HistoryStore.open(crashed, PLENTY)) {
            List<Sample> samples = read(store, Tier.FINE, TOPOLOGY, START, START + 1_000);
            assertEquals(100, samples.size());
            assertEquals(Samples.at(START + 990, START + 990), samples.get(99));
        }
    }

    @Test
    void shouldSetADamagedStoreAsideAndBeginAnew() throws Exception {
        Path store = directory.resolve("history");
        for (int i = 0; i < 2; i++) {
            try (HistoryStore first = HistoryStore.open(store, PLENTY)) {
                append(first, TOPOLOGY, START, START + 100);
            }
            Files.writeString(store.resolve("CURRENT"), "nothing\n");

            try (HistoryStore anew = HistoryStore.open(store, PLENTY)) {
                assertEquals(List.of(), read(anew, Tier.FINE, TOPOLOGY, START - DAY, START + DAY));
            }
            assertTrue(Files.exists(directory.resolve("history-damaged").resolve("CURRENT")));
        }
    }

    @Test
    void shouldRefuseADirectoryThatIsInUse() throws Exception {
        try (HistoryStore store = HistoryStore.open(directory, PLENTY)) {
            append(store, TOPOLOGY, START, START);
            assertThrows(IOException.class, () -> HistoryStore.open(directory, PLENTY));
            assertEquals(1, read(store, Tier.FINE, TOPOLOGY, START - DAY, START).size());
        }
    }

    @Test
    void shouldReturnNothingWhenItIsClosed() throws Exception {
        HistoryStore store = HistoryStore.open(directory, PLENTY);
        append(store, TOPOLOGY, START, START);
        store.close();
        store.close();

        store.append(TOPOLOGY, Samples.at(START, 1));
        store.prune(START);
        assertEquals(List.of(), read(store, Tier.FINE, TOPOLOGY, START - DAY, START));
        assertEquals(Optional.empty(), store.newest(TOPOLOGY, START));
    }

    @Test
    void shouldReadBackEveryFieldOfASample() {
        Counters counters = Counters.first(1, 2, 3, 4, 5, 6, 7, 8).next(Counters.first(1, 1, 1, 1, 1, 1, 1, 1));
        Sample sample = new Sample(START, 60, "REBALANCING", 7,
            new TreeMap<>(Map.of("sum/of ümlauts", new Sample.Component(false, 3, 0.125, START - 10, counters))));

        assertEquals(sample, Sample.of(sample.toBytes()));
        Sample heard = Samples.heard(sample, Map.of("a:1", new Sample.Jvm(1, 2, 0.5, 0.25)), new Percentiles(1, 2, 4));
        assertEquals(heard, Sample.of(heard.toBytes()));
        // As the version before wrote it, without counts.
        assertEquals(heard, Sample.of(Arrays.copyOf(heard.toBytes(), heard.toBytes().length - 1)));
    }

    private static List<Sample> read(HistoryStore store, Tier tier, String topology, long fromSecs, long toSecs) throws Exception {
        List<Sample> samples = new ArrayList<>();
        store.read(tier, topology, fromSecs, toSecs, samples::add);
        return samples;
    }

    private static void append(HistoryStore store, String topology, long from, long to) throws Exception {
        for (long time = from; time <= to; time += 10) {
            store.append(topology, Samples.at(time, time));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from).toList()) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
    }

    private static Stream<Path> files(Path of) throws IOException {
        try (Stream<Path> files = Files.list(of)) {
            return files.filter(Files::isRegularFile).toList().stream();
        }
    }
}
