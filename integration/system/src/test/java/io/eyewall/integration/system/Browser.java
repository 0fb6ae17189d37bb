package io.eyewall.integration.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Chromium without a window: opens a page, lets its scripts run, and returns what it shows and says. */
final class Browser {

    private static final long PATIENCE_SECS = 120;
    /** What scripts see pass, while the browser waits for all that they ask for. */
    private static final int SCRIPT_MS = 8_000;

    private final Path directory;

    /** Keeps profiles, output and pictures in the directory. */
    Browser(Path directory) {
        this.directory = directory;
    }

    /** Whether there is a browser on this machine. */
    static boolean isThere() {
        return Stream.of(System.getenv("PATH").split(":", -1)).anyMatch(path -> Files.isExecutable(Path.of(path, "chromium")));
    }

    /**
     * What a page has come to.
     *
     * @param content its elements when its scripts have run
     * @param messages what went to the console
     */
    record Page(String content, List<String> messages) {
    }

    /** Opens a page; writes a picture of it to NAME.png. */
    Page open(String name, String address, boolean dark) throws IOException, InterruptedException {
        String content = run(name, List.of("--dump-dom"), address, dark);
        run(name + "-picture", List.of("--screenshot=" + directory.resolve(name + ".png"), "--window-size=1280,1800"), address, dark);
        List<String> messages = new ArrayList<>();
        for (String run : List.of(name, name + "-picture")) {
            Files.readString(directory.resolve(run + ".err"), StandardCharsets.UTF_8).lines().filter(line -> line.contains(":CONSOLE"))
                .forEach(messages::add);
        }
        return new Page(content, messages);
    }

    private String run(String name, List<String> what, String address, boolean dark) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--user-data-dir=" + directory.resolve(name + "-profile"), "--virtual-time-budget=" + SCRIPT_MS, "--enable-logging=stderr",
            "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1)));
        command.addAll(what);
        command.add(address);
        Files.createDirectories(directory);
        Path output = directory.resolve(name + ".out");
        Process browser = new ProcessBuilder(command).redirectOutput(output.toFile())
            .redirectError(directory.resolve(name + ".err").toFile()).start();
        if (!browser.waitFor(PATIENCE_SECS, TimeUnit.SECONDS)) {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly();
            throw new IOException("Chromium takes longer than " + PATIENCE_SECS + " s for " + address + ". Its output is in " + directory);
        }
        return Files.readString(output, StandardCharsets.UTF_8);
    }
}
