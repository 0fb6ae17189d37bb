package io.eyewall.integration.system;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.awaitility.Awaitility;

/**
 * Chromium without a window and with one page, told what to do over the DevTools protocol. A condition of a page is awaited, since pages
 * ask for their data when they are there already. For one thread.
 */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final Path directory;
    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger calls = new AtomicInteger();
    // The listener's thread completes and adds, the test's thread reads.
    private final Map<Number, CompletableFuture<JSONObject>> waiting = new ConcurrentHashMap<>();
    private final List<String> messages = new CopyOnWriteArrayList<>();

    /** Starts the browser; keeps its profile, its output and pictures in the directory. */
    Browser(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        Files.createDirectories(directory);
        Path profile = Files.createTempDirectory(directory, "profile");
        process = new ProcessBuilder("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--disable-popup-blocking", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-default-apps", "--window-size=1280,1000",
            "--remote-debugging-port=0", "--user-data-dir=" + profile, "about:blank")
            .redirectErrorStream(true).redirectOutput(directory.resolve("chromium.out").toFile()).start();
        Path port = profile.resolve("DevToolsActivePort");
        await("chromium starts", () -> process.isAlive() && Files.exists(port) && Files.readString(port).contains("\n"));
        URI list = URI.create("http://127.0.0.1:" + Files.readAllLines(port).get(0) + "/json/list");
        HttpClient client = HttpClient.newHttpClient();
        await("chromium has a page", () -> page(client, list) != null);
        socket = client.newWebSocketBuilder().buildAsync(URI.create(page(client, list)), new Listener()).join();
        for (String domain : List.of("Page", "Runtime", "Log")) {
            call(domain + ".enable", Map.of());
        }
    }

    /** Whether there is a browser on this machine. */
    static boolean isThere() {
        return Stream.of(System.getenv("PATH").split(":", -1)).anyMatch(path -> Files.isExecutable(Path.of(path, "chromium")));
    }

    /** Opens a page anew and forgets what was said before. */
    void open(String address, boolean dark) {
        call("Emulation.setEmulatedMedia",
            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        call("Page.navigate", Map.of("url", "about:blank"));
        await("the former page is left", () -> "about:blank".equals(evaluate("location.href")));
        messages.clear();
        call("Page.navigate", Map.of("url", address));
    }

    /** Waits until a JavaScript expression is true in the page. */
    void await(String expression) {
        await("in the page: " + expression, () -> Boolean.TRUE.equals(evaluate("Boolean(" + expression + ")")));
    }

    /** Waits until the page shows a text. */
    void awaitText(String text) {
        await("document.body.innerText.includes(" + JSONValue.toJSONString(text) + ")");
    }

    /** The value of a JavaScript expression in the page, or of the promise that it returns. */
    Object evaluate(String expression) {
        JSONObject outcome = call("Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true,
            "userGesture", true));
        if (outcome.containsKey("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + outcome.get("exceptionDetails"));
        }
        return ((JSONObject) outcome.get("result")).get("value");
    }

    /** Clicks the button with that text. */
    void click(String text) {
        String button = "[...document.querySelectorAll('button')].find(each => each.textContent.trim() === " + JSONValue.toJSONString(text)
            + " && !each.disabled)";
        await(button);
        evaluate(button + ".click()");
    }

    /** Types a value into a field of the dialog that is open. */
    void type(String field, String value) {
        String input = "document.querySelector('dialog[open] input[name=\"" + field + "\"]')";
        await(input);
        evaluate("(input => { input.value = " + JSONValue.toJSONString(value)
            + "; input.dispatchEvent(new Event('input', { bubbles: true })); })(" + input + ")");
    }

    /** What axe finds in the page that keeps somebody from using it. */
    List<String> violations() throws IOException {
        try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
            evaluate(new String(axe.readAllBytes(), StandardCharsets.UTF_8) + "; 0");
        }
        return ((List<?>) evaluate("axe.run({ resultTypes: ['violations'] }).then(found => found.violations.flatMap(rule =>"
            + " rule.nodes.map(node => rule.id + ' ' + node.html + ' ' + node.failureSummary)))")).stream().map(String::valueOf).toList();
    }

    /** The elements of the page as they are now. */
    String content() {
        return (String) evaluate("document.documentElement.outerHTML");
    }

    /** What went to the console since the page was opened: messages, exceptions, and responses that are errors. */
    List<String> messages() {
        return List.copyOf(messages);
    }

    /** Writes a picture of the whole page to NAME.png. */
    void picture(String name) throws IOException {
        JSONObject picture = call("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        Files.write(directory.resolve(name + ".png"), Base64.getDecoder().decode((String) picture.get("data")));
    }

    @Override
    public void close() throws InterruptedException {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private void await(String what, Condition condition) {
        Awaitility.await(what).pollDelay(Duration.ZERO).pollInterval(BETWEEN_LOOKS).atMost(PATIENCE).ignoreExceptions()
            .until(condition::holds);
    }

    private JSONObject call(String method, Map<String, Object> parameters) {
        int id = calls.incrementAndGet();
        CompletableFuture<JSONObject> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        socket.sendText(JSONValue.toJSONString(Map.of("id", id, "method", method, "params", parameters)), true).join();
        try {
            JSONObject message = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (message.containsKey("error")) {
                throw new IllegalStateException(method + ": " + message.get("error"));
            }
            return (JSONObject) message.get("result");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + method, e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("No answer of chromium's to " + method + ". Its output is in " + directory, e);
        }
    }

    private static String page(HttpClient client, URI list) throws IOException, InterruptedException {
        String targets = client.send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString()).body();
        for (Object target : (List<?>) JSONValue.parse(targets)) {
            if ("page".equals(((JSONObject) target).get("type"))) {
                return (String) ((JSONObject) target).get("webSocketDebuggerUrl");
            }
        }
        return null;
    }

    /** Something to wait for. */
    @FunctionalInterface
    private interface Condition {

        boolean holds() throws Exception;
    }

    /** Hands answers to who waits for them, and keeps what goes to the console. */
    private final class Listener implements WebSocket.Listener {

        private final StringBuilder parts = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            parts.append(data);
            if (last) {
                take((JSONObject) JSONValue.parse(parts.toString()));
                parts.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void take(JSONObject message) {
            if (message.containsKey("id")) {
                CompletableFuture<JSONObject> answer = waiting.remove(message.get("id"));
                if (answer != null) {
                    answer.complete(message);
                }
            } else if (List.of("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded").contains(message.get("method"))) {
                messages.add(message.get("params").toString());
            }
        }
    }
}
