package io.eyewall.integration.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of this repository show what is in {@code benchmarks/}, and all of it. */
class BenchmarkPagesTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path BENCHMARKS = ROOT.resolve("docs").resolve("benchmarks.md");
    private static final int MAX_CAVEAT_LINES = 2;

    @Test
    void shouldShowTheCommittedMeasurements() throws IOException {
        for (Path page : pages()) {
            String remedy = page + " does not show what benchmarks/ has. Write it anew: bin/storm bench --report "
                + ROOT.relativize(page);
            ReportPage.Rendered rendered = new ReportPage(page).render();
            assertIterableEquals(rendered.text(), Files.readAllLines(page), remedy);
            for (Map.Entry<Path, List<String>> plot : rendered.plots().entrySet()) {
                assertTrue(Files.exists(plot.getKey()), () -> plot.getKey() + " is missing. " + remedy);
                assertIterableEquals(plot.getValue(), Files.readAllLines(plot.getKey()), remedy);
            }
        }
    }

    @Test
    void shouldHaveEveryCommittedFileOnThePage() throws IOException {
        List<Path> sources = List.copyOf(new ReportPage(BENCHMARKS).render().sources());
        try (Stream<Path> files = Files.walk(ROOT.resolve("benchmarks"))) {
            List<Path> forgotten = files.filter(file -> file.toString().endsWith(".csv"))
                .filter(file -> sources.stream().noneMatch(file::startsWith)).toList();
            assertEquals(List.of(), forgotten, "in no table of docs/benchmarks.md");
        }
    }

    @Test
    void shouldHaveNoPlotThatNoMarkerMakes() throws IOException {
        List<Path> made = new ArrayList<>();
        for (Path page : pages()) {
            made.addAll(new ReportPage(page).render().plots().keySet());
        }
        try (Stream<Path> files = Files.list(BENCHMARKS.resolveSibling("plots"))) {
            assertEquals(List.of(), files.filter(file -> !made.contains(file)).toList());
        }
    }

    @Test
    void shouldHaveTwoLinesOfCaveatsAtMostUnderATable() throws IOException {
        List<String> lines = Files.readAllLines(BENCHMARKS);
        for (int index = 0; index < lines.size(); index++) {
            if (lines.get(index).equals("<!-- end -->")) {
                long caveat = lines.subList(index + 1, lines.size()).stream()
                    .takeWhile(line -> !line.startsWith("#") && !line.startsWith("<!-- ")).filter(line -> !line.isEmpty()).count();
                assertTrue(caveat <= MAX_CAVEAT_LINES, "line " + (index + 1) + " of docs/benchmarks.md");
            }
        }
    }

    /** Those that have a marker. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            pages.addAll(docs.filter(file -> file.toString().endsWith(".md")).sorted().toList());
        }
        List<Path> marked = new ArrayList<>();
        for (Path page : pages) {
            if (Files.readString(page).contains("<!-- table ")) {
                marked.add(page);
            }
        }
        return marked;
    }
}
