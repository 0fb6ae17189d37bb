package io.eyewall.integration.bench.henge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.report.CommandArguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UtilityScenarioTest {

    @TempDir
    private Path directory;

    @Test
    void shouldMakeChangesAfterThirdsOfTheRunWhenAPieceBegins() {
        UtilityScenario.Change first = new UtilityScenario.Change(1, stage -> { });
        UtilityScenario.Change second = new UtilityScenario.Change(2, stage -> { });

        assertEquals(List.of(120, 240), List.of(first.atSecond(360, 10), second.atSecond(360, 10)));
        assertEquals(List.of(60, 130), List.of(first.atSecond(200, 10), second.atSecond(200, 10)));
        assertEquals(List.of(66, 133), List.of(first.atSecond(200, 1), second.atSecond(200, 1)));
    }

    @Test
    void shouldLeaveTimeForTheUtilityToComeBackInTheShortestRun() throws IOException {
        for (String name : UtilityBench.names()) {
            UtilityScenario scenario = options(name).scenario();
            int seconds = scenario.span().leastSeconds();
            assertEquals(name.equals("henge/diurnal"), scenario.changeSecond(seconds).isEmpty(), name);
            assertTrue(scenario.changeSecond(seconds).orElse(0) <= seconds - 60, name);
            assertEquals(0, seconds % scenario.span().pieceSeconds(), name);
            assertTrue(scenario.tenants().atStart() <= scenario.tenants().number(), name);
        }
    }

    @Test
    void shouldWriteTheRatesOfAllTopologies() throws IOException {
        assertEquals(List.of("100.00"), options("henge/spike").scenario().tenants().rates(0, 360));
        assertEquals(List.of("120.00"), options("henge/new-tenant", "--rate", "40").scenario().tenants().rates(3, 360));
        List<String> days = options("henge/diurnal").scenario().tenants().rates(2, 60);
        assertEquals(12, days.size());
        assertEquals(400, days.stream().mapToDouble(Double::parseDouble).average().orElseThrow(), 0.01);
        assertEquals(days, options("henge/diurnal").scenario().tenants().rates(0, 60), "every second topology has the same days");
    }

    @Test
    void shouldFollowTheTracesInTurns() throws IOException {
        Path one = Files.writeString(directory.resolve("one.csv"), "0,1\n10,3\n");
        Path two = Files.writeString(directory.resolve("two.csv"), "0,3\n10,1\n");

        UtilityScenario.Tenants tenants = options("henge/diurnal", "--rates", one + "," + two).scenario().tenants();

        assertEquals(List.of("200.00", "600.00"), tenants.rates(2, 10));
        assertEquals(List.of("600.00", "200.00"), tenants.rates(3, 10));
        assertArrayEquals(new double[] {0.5, 1.5}, tenants.load().factors(0, 2));
    }

    @Test
    void shouldRefuseTracesWhereTheLoadIsSteady() {
        assertEquals("--rates: the load of henge/moves is steady; --rate sets it, and henge/diurnal has traces",
            assertThrows(IllegalArgumentException.class, () -> options("henge/moves", "--rates", "x.csv")).getMessage());
        assertEquals("--seconds 90: expected a whole number of at least 120",
            assertThrows(IllegalArgumentException.class, () -> options("henge/spike", "--seconds", "90")).getMessage());
    }

    @Test
    void shouldSayWhatHappens() throws IOException {
        assertEquals("4 Page Load topologies, whose objective is a mean latency of 60 ms from due to processed; the rate of one triples for"
            + " the second third of the run; 360 s, in pieces of 10 s; utility in per cent of the most that there could be.",
            options("henge/spike").scenario().notes(360));
    }

    @Test
    void shouldKnowWhenSomethingHappens() throws IOException {
        assertEquals(Optional.of(40), options("henge/machine-failure").scenario().changeSecond(120));
        assertEquals(Optional.empty(), options("henge/diurnal").scenario().changeSecond(120));
    }

    private static UtilityOptions options(String name, String... arguments) throws IOException {
        return UtilityOptions.parse(name, new CommandArguments(arguments, Map.of("--rate", 1, "--rates", 1, "--seconds", 1)));
    }
}
