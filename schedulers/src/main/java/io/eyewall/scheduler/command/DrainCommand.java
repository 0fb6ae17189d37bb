package io.eyewall.scheduler.command;

import io.eyewall.core.report.CommandArguments;
import io.eyewall.scheduler.drain.DrainRequest;
import io.eyewall.scheduler.drain.DrainRequest.Progress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.storm.thrift.TException;

/** {@code storm drain SUPERVISOR|HOST [--timeout SECONDS]} and {@code storm drain SUPERVISOR|HOST --cancel}. */
public final class DrainCommand {

    static final String NAME = "storm drain";
    private static final String USAGE = "usage: storm drain SUPERVISOR|HOST [--timeout SECONDS]\n"
        + "       storm drain SUPERVISOR|HOST --cancel";
    private static final long DEFAULT_TIMEOUT_SECS = 300;
    private static final long MAX_TIMEOUT_SECS = 1_000_000_000;

    private final SchedulerClient client;
    private final SchedulerConsole console;

    DrainCommand(SchedulerClient client, SchedulerConsole console) {
        this.client = client;
        this.console = console;
    }

    /**
     * Runs the command. The exit code is 0, 1 if a Supervisor is not empty, or 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached or refuses
     */
    public static void main(String[] args) throws Exception {
        SchedulerConsole.exitAfter(NAME, (client, console) -> new DrainCommand(client, console).run(args));
    }

    int run(String... args) throws TException, InterruptedException {
        CommandArguments arguments;
        long timeoutSecs;
        try {
            arguments = new CommandArguments(args, Map.of("--timeout", 1, "--cancel", 0));
            timeoutSecs = Math.min(MAX_TIMEOUT_SECS, arguments.number("--timeout", 1, DEFAULT_TIMEOUT_SECS));
            if (arguments.words().size() != 1) {
                throw new IllegalArgumentException(arguments.words().isEmpty() ? "no SUPERVISOR or HOST given"
                    : "one SUPERVISOR or HOST at a time, not " + String.join(", ", arguments.words()));
            }
        } catch (IllegalArgumentException e) {
            return console.misused(e, USAGE);
        }
        String name = arguments.words().get(0);
        Map<String, String> hosts = client.supervisors();
        List<String> ids = hosts.keySet().stream().filter(id -> id.equals(name) || hosts.get(id).equals(name)).sorted().toList();
        if (ids.isEmpty()) {
            return console.refuse("there is no Supervisor " + name + " in the cluster. There are, as HOST SUPERVISOR: "
                + (hosts.isEmpty() ? "none" : String.join(", ", hosts.entrySet().stream().map(one -> one.getValue() + " " + one.getKey())
                    .sorted().toList())));
        }
        if (ids.size() > 1) {
            // One request at a time: between two, Nimbus would move what the first Supervisor has to the second.
            return console.refuse(name + " has several Supervisors. Name one of them: " + String.join(", ", ids));
        }
        return arguments.has("--cancel") ? cancel(ids.get(0), name) : drain(ids.get(0), name, timeoutSecs);
    }

    private int cancel(String id, String name) throws TException {
        client.delete(DrainRequest.of(id).key());
        console.out().println(name + " gets executors again.");
        return 0;
    }

    private int drain(String id, String name, long timeoutSecs) throws TException, InterruptedException {
        DrainRequest wanted = DrainRequest.of(id);
        if (request(id).map(DrainRequest::progress).orElse(Progress.REFUSED) == Progress.REFUSED) {
            client.delete(wanted.key());
            client.create(wanted.key(), wanted.toBytes());
        }
        long responseSecs = SchedulerConsole.responseSecs(client.scheduler());
        String shown = "";
        for (long passedMs = 0;; passedMs += console.pause()) {
            DrainRequest request = request(id).orElse(null);
            if (request == null) {
                return console.refuse("the request was cancelled, or the Supervisor has ended.");
            }
            if (request.progress() == Progress.REFUSED) {
                client.delete(request.key());
                return console.refuse(request.text() + ".");
            }
            if (request.progress() == Progress.WAITING && passedMs > TimeUnit.SECONDS.toMillis(responseSecs)) {
                client.delete(request.key());
                return console.refuse("Nimbus's scheduler has not responded for " + responseSecs + " s. nimbus.log has the reason.");
            }
            if (request.progress() == Progress.EMPTY) {
                console.out().println(name + " is empty, and gets no executors until it has been stopped and started.");
                return 0;
            }
            if (passedMs >= TimeUnit.SECONDS.toMillis(timeoutSecs)) {
                return console.refuse(name + " is not empty after " + timeoutSecs + " s"
                    + (request.text().isEmpty() ? "." : ", it has " + request.text() + ".")
                    + " It gets no executors, and its own keep moving. Run the command again to keep waiting, or with --cancel to stop.");
            }
            if (!request.text().isEmpty() && !request.text().equals(shown)) {
                console.out().println(name + " has " + request.text());
                shown = request.text();
            }
        }
    }

    private Optional<DrainRequest> request(String id) throws TException {
        return client.read(DrainRequest.of(id).key()).map(DrainRequest::of);
    }
}
