package io.eyewall.examples.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.examples.ManualClock;
import io.eyewall.examples.configuration.ExampleConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SourcesTest {

    private static final long DUE_NS = 77;

    @TempDir
    private Path directory;
    private Path input;

    static Stream<MessageSource> sources() {
        return Stream.of(new LineSource(), new WordSource(), new NetworkEventSource(), new ConstantSource(),
            new AdEventSource(new ManualClock(DUE_NS, 1_700_000_000_000L)));
    }

    @BeforeEach
    void writeInput() throws IOException {
        input = Files.writeString(directory.resolve("input.txt"), "one fish\n\ntwo, fish!\n  \nred\tfish\nblue fish 4\n");
    }

    @ParameterizedTest
    @MethodSource("sources")
    void shouldEndEveryMessageWithItsDueTimeWhenTasksShareTheSource(MessageSource source) throws IOException {
        List<List<Object>> alone = all(source, 0, 1, 12);
        List<List<Object>> shared = new ArrayList<>(all(source, 0, 3, 12));
        shared.addAll(all(source, 1, 3, 12));
        shared.addAll(all(source, 2, 3, 12));

        assertEquals(withoutSequence(alone), withoutSequence(shared));
        for (List<Object> message : alone) {
            assertEquals(source.fields().size(), message.size());
            assertEquals(DUE_NS, message.get(source.fields().fieldIndex(MessageSource.DUE_NS)));
            assertEquals(source.fields().size() - 1, source.fields().fieldIndex(MessageSource.DUE_NS));
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void shouldBeginWithTheSameMessagesWhenItIsOpenedAgain(MessageSource source) throws IOException {
        assertEquals(all(source, 1, 2, 8), all(source, 1, 2, 8));
    }

    @Test
    void shouldReadTheFileAgainWhenItsLinesRunOut() throws IOException {
        List<Object> texts = new ArrayList<>();
        List<Object> numbers = new ArrayList<>();
        for (List<Object> message : all(new LineSource(), 0, 1, 6)) {
            texts.add(message.get(0));
            numbers.add(message.get(1));
        }

        assertEquals(List.of("one fish", "two, fish!", "red\tfish", "blue fish 4", "one fish", "two, fish!"), texts);
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L), numbers);
    }

    @Test
    void shouldContinueToCountWhenTasksReadTheFileAgain() throws IOException {
        List<Object> texts = new ArrayList<>();
        for (List<Object> message : all(new LineSource(), 1, 3, 9)) {
            texts.add(message.get(0) + " " + message.get(1));
        }

        assertEquals(List.of("two, fish! 1", "one fish 4", "blue fish 4 7"), texts);
    }

    @Test
    void shouldSplitWordsAtAllCharactersExceptLettersAndDigits() throws IOException {
        List<Object> words = all(new WordSource(), 0, 1, 4).stream().map(message -> message.get(0)).toList();

        assertEquals(List.of("one", "fish", "two", "fish", "red", "fish", "blue", "fish", "4"), words);
    }

    @Test
    void shouldCutOrRepeatLinesWhenAPayloadSizeIsConfigured() {
        assertEquals("abcab", LineSource.resize("abc", 5));
        assertEquals("ab", LineSource.resize("abc", 2));
        assertEquals("abc", LineSource.resize("abc", 3));
        assertEquals("abc", LineSource.resize("abc", 0));
    }

    @Test
    void shouldFailWhenTheFileHasNoText() throws IOException {
        Files.writeString(input, "\n \n");

        IOException failure = assertThrows(IOException.class, () -> all(new LineSource(), 0, 1, 1));
        assertTrue(failure.getMessage().contains(input.toString()), failure.getMessage());
        assertTrue(failure.getMessage().contains("eyewall.input"), failure.getMessage());
    }

    @Test
    void shouldStampAnEventWithItsDueTimeWhenItIsEmittedLate() throws IOException {
        ManualClock clock = new ManualClock(1, 1_700_000_000_000L);
        AdEventSource source = new AdEventSource(clock);
        source.open(configuration(2), 0, 1);
        clock.advanceMs(250);

        String json = source.next(1).get(0).toString();
        assertTrue(json.contains("\"event_time\":1700000000000,"), json);

        json = source.next(MessageSource.NOT_MEASURED).get(0).toString();
        assertTrue(json.contains("\"event_time\":1700000000250,"), json);
    }

    @Test
    void shouldMakeAnEventOfTheColumnsOfALine() throws IOException {
        String tag = NetworkEventSource.isSuccess(3, 1) ? "Success" : "Fail";

        assertEquals("{\"id\":97,\"count\":3,\"time\":\"1998-11-17\",\"sentence\":\"so \\\"it\\\" is\",\"tag\":\"" + tag + "\"}",
            NetworkEventSource.json("a\t1998-11-17\tso \"it\" is", 3, 1));
    }

    private List<List<Object>> all(MessageSource source, int task, int tasks, long records) throws IOException {
        source.open(configuration(records), task, tasks);
        List<List<Object>> messages = new ArrayList<>();
        for (List<Object> message = source.next(DUE_NS); message != null; message = source.next(DUE_NS)) {
            messages.add(message);
        }
        source.close();
        return messages;
    }

    private ExampleConfiguration configuration(long records) {
        Map<String, Object> keys = new HashMap<>();
        keys.put("eyewall.input", input.toString());
        keys.put("eyewall.records", records);
        keys.put("eyewall.yahoo.campaigns", 2);
        return new ExampleConfiguration(keys);
    }

    /** The first values, sorted. Their order depends on the number of tasks, and so do the sequence numbers of words. */
    private static List<String> withoutSequence(List<List<Object>> messages) {
        List<String> texts = new ArrayList<>(messages.stream().map(message -> message.get(0).toString()).toList());
        texts.sort(null);
        return texts;
    }
}
