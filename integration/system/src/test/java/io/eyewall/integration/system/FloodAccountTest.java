package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FloodAccountTest {

    @TempDir
    private Path output;
    private FloodAccount account;

    @BeforeEach
    void make() {
        account = new FloodAccount(output);
    }

    @Test
    void shouldFindNothingWhenEachNumberHasComeOnce() throws IOException {
        write("numbers-11", "emit 0 1");
        write("keys-9", "emit 0 0");
        write("slow-13", "open 6700", "1 11 11", "close");
        write("slow-14", "open 6701", "0 11 11");
        write("relay-20", "open 6701", "0 9 9");
        write("keyed-1", "open 6701", "0 9 20");
        account.update();

        assertEquals(List.of(), account.defects());
        assertEquals(List.of(), account.defectsWithAcks());
        assertEquals(0, account.missing("slow"));
        assertEquals(Map.of("slow-14", 6701, "relay-20", 6701, "keyed-1", 6701), account.open());
    }

    @Test
    void shouldFindWhatIsLostAndWhatCameTwice() throws IOException {
        write("keys-9", "emit 0 1", "emit 2 2");
        write("relay-20", "open 6701", "0 9 9", "2 9 9", "2 9 9");
        write("keyed-1", "open 6701", "0 9 20", "1 9 20", "2 9 20");
        account.update();

        assertEquals(List.of("1 numbers lost from keys-9 to relay: [1]",
            "1 numbers that came more often than they were emitted from keys-9 to relay: [2]"), account.defects());
        assertEquals(0, account.missing("relay"));
    }

    @Test
    void shouldFindWhatWasAckedAndNeverCame() throws IOException {
        write("numbers-11", "open", "emit 0", "fail 0", "emit 0", "ack 0", "emit 1", "ack 1", "emit 2");
        write("slow-13", "open 6700", "0 11 11", "0 11 11", "open 6700", "2 11 11");
        account.update();

        assertEquals(1, account.unacked(account.ends()));
        assertEquals(List.of("1 numbers acked that never came from numbers-11 to slow: [1]"), account.defectsWithAcks());
    }

    @Test
    void shouldFindATaskThatIsOpenInTwoWorkers() throws IOException {
        write("slow-13", "open 6700", "open 6701", "close", "close");
        account.update();

        assertEquals(List.of("slow-13 was open in two workers at a time"), account.defects());
    }

    @Test
    void shouldExpectOrderOfWhatIsEmittedWhileNothingMoves() throws IOException {
        write("keys-9", "emit 0", "emit 1");
        write("relay-20", "1 9 9", "0 9 9");
        account.update();
        account.expectOrder();
        write("keys-9", "emit 2", "emit 3", "emit 4");
        write("relay-20", "2 9 9", "4 9 9");
        write("relay-21", "3 9 9");
        write("keyed-1", "0 9 20", "1 9 20", "4 9 20", "3 9 21", "2 9 20");
        account.update();

        assertEquals(List.of("1 numbers overtaken while nothing moved: [2 came after 4 from keys-9 by 20 to keyed-1]"), account.defects());
        assertEquals(6, account.ordered());
    }

    @Test
    void shouldReadALineOnceItIsComplete() throws IOException {
        write("numbers-11", "emit 0");
        append("numbers-11", "emit 1");
        account.update();
        assertEquals(1, account.missing("slow"));
        append("numbers-11", "2\n");
        account.update();

        assertEquals(2, account.missing("slow"));
        write("slow-13", "0 11 11", "12 11 11");
        account.update();
        assertEquals(List.of(), account.defects());
    }

    private void write(String task, String... lines) throws IOException {
        append(task, String.join("\n", lines) + "\n");
    }

    private void append(String task, String text) throws IOException {
        Files.writeString(output.resolve(task + ".txt"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
