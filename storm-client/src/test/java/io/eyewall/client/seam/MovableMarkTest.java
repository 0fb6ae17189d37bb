package io.eyewall.client.seam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MovableMarkTest {

    private static final long SET_NS = TimeUnit.DAYS.toNanos(3);
    private static final long SESSION_MS = 20_000;
    private static final Set<List<Long>> EXECUTORS = Set.of(List.of(7L, 8L), List.of(1L, 1L));

    @TempDir
    Path worker;

    @Test
    void shouldReportTheExecutorsAndItsAge() {
        mark().set(EXECUTORS, SET_NS);
        MovableMark.Reading reading = read(SESSION_MS).orElseThrow();
        assertTrue(reading.isFor(List.of(List.of(1L, 1L), List.of(7L, 8L))));
        assertFalse(reading.isFor(List.of(List.of(1L, 1L))));
        assertEquals(SESSION_MS, reading.ageMs());
        assertTrue(reading.isFresh(SESSION_MS));
        assertFalse(read(SESSION_MS + 1).orElseThrow().isFresh(SESSION_MS));
    }

    @Test
    void shouldReportAWorkerWithoutExecutors() {
        mark().set(Set.of(), SET_NS);
        assertTrue(read(0).orElseThrow().isFor(List.of()));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void shouldHaveTheSameAgeWhenTheWallClockIsSetByAnHour(int hours) throws IOException {
        mark().set(EXECUTORS, SET_NS);
        Path file = onlyFile();
        Files.setLastModifiedTime(file,
            FileTime.fromMillis(Files.getLastModifiedTime(file).toMillis() + TimeUnit.HOURS.toMillis(hours)));
        assertTrue(read(SESSION_MS).orElseThrow().isFresh(SESSION_MS));
        assertFalse(read(SESSION_MS + 1).orElseThrow().isFresh(SESSION_MS));
    }

    @Test
    void shouldBeNoneWhenItIsFromBeforeTheHostWasStarted() {
        mark().set(EXECUTORS, SET_NS);
        assertEquals(Optional.empty(), mark().read(() -> SET_NS - 1));
    }

    @Test
    void shouldCountWhenTheWorkerWritesAnotherOneWhileItIsRead() {
        mark().set(EXECUTORS, SET_NS);
        Optional<MovableMark.Reading> reading = mark().read(() -> {
            mark().set(EXECUTORS, SET_NS + 2);
            return SET_NS + 1;
        });
        assertTrue(reading.orElseThrow().isFresh(SESSION_MS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1-1\n7-8", "reached ZooKeeper at ns 1", "reached ZooKeeper at ns soon\n1-1"})
    void shouldBeNoneWhenItHasAnotherFormat(String content) throws IOException {
        mark().set(EXECUTORS, SET_NS);
        Files.writeString(onlyFile(), content);
        assertEquals(Optional.empty(), read(0));
    }

    @Test
    void shouldBeNoneBeforeItIsSetAndWhenItIsCleared() {
        mark().clear();
        assertEquals(Optional.empty(), read(0));
        mark().set(EXECUTORS, SET_NS);
        mark().clear();
        assertEquals(Optional.empty(), read(0));
    }

    @Test
    void shouldReportThatOthersWereAssignedItsExecutorsUntilItHasReachedZooKeeperAgain() {
        mark().set(EXECUTORS, SET_NS);
        assertFalse(read(1).orElseThrow().reassigned());
        mark().setReassigned(SET_NS + 1);
        assertTrue(read(1).orElseThrow().reassigned());
        mark().set(EXECUTORS, SET_NS + 2);
        assertFalse(read(1).orElseThrow().reassigned());
    }

    @Test
    void shouldIgnoreWhatASupervisorHasNotFinishedOrHasWrittenBeforeTheHostWasStarted() throws IOException {
        mark().set(EXECUTORS, SET_NS);
        mark().setReassigned(SET_NS + TimeUnit.HOURS.toNanos(1));
        assertFalse(read(1).orElseThrow().reassigned());
        Files.writeString(worker.resolve("eyewall-reassigned"), "");
        assertFalse(read(1).orElseThrow().reassigned());
    }

    @Test
    void shouldNameTheFileWhenItCannotBeWritten() {
        MovableMark gone = new MovableMark(worker.resolve("gone").toString());
        String message = assertThrows(UncheckedIOException.class, () -> gone.set(EXECUTORS, SET_NS)).getMessage();
        assertTrue(message.contains(worker.resolve("gone").toString()), message);
        message = assertThrows(UncheckedIOException.class, () -> gone.setReassigned(SET_NS)).getMessage();
        assertTrue(message.contains(worker.resolve("gone").toString()), message);
    }

    private MovableMark mark() {
        return new MovableMark(worker.toString());
    }

    private Optional<MovableMark.Reading> read(long ageMs) {
        return mark().read(() -> SET_NS + TimeUnit.MILLISECONDS.toNanos(ageMs));
    }

    private Path onlyFile() throws IOException {
        try (var files = Files.list(worker)) {
            List<Path> all = files.toList();
            assertEquals(1, all.size(), all.toString());
            return all.get(0);
        }
    }
}
