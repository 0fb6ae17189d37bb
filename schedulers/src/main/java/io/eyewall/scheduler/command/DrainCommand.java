package io.eyewall.scheduler.command;

import io.eyewall.core.report.CommandArguments;
import io.eyewall.scheduler.drain.DrainRequest;
import io.eyewall.scheduler.drain.DrainRequest.Progress;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/** {@code storm drain SUPERVISOR|HOST [--timeout SECONDS]} and {@code storm drain SUPERVISOR|HOST --cancel}. */
public final class DrainCommand {

    private static final String USAGE = "usage: storm drain SUPERVISOR|HOST [--timeout SECONDS]\n"
        + "       storm drain SUPERVISOR|HOST --cancel";
    private static final long DEFAULT_TIMEOUT_SECS = 300;
    private static final long MAX_TIMEOUT_SECS = 1_000_000_000;
    private static final long POLL_MS = 500;
    /** How long to wait for the scheduler's response in addition to two of its rounds. */
    private static final long RESPONSE_TIMEOUT_SECS = 60;

    private final SchedulerClient client;
    private final ScaleCommand.Pause pause;
    private final PrintStream out;
    private final PrintStream err;

    DrainCommand(SchedulerClient client, ScaleCommand.Pause pause, PrintStream out, PrintStream err) {
        this.client = client;
        this.pause = pause;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the command. The exit code is 0, 1 if a Supervisor is not empty, or 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached or refuses
     */
    public static void main(String[] args) throws Exception {
        int exitCode;
        try (NimbusClient nimbus = NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            exitCode = new DrainCommand(new NimbusBlobs(nimbus.getClient()), TimeUnit.MILLISECONDS::sleep, System.out, System.err)
                .run(args);
        }
        System.exit(exitCode);
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
            err.println("storm drain: " + e.getMessage());
            err.println(USAGE);
            return 2;
        }
        String name = arguments.words().get(0);
        Map<String, String> hosts = client.supervisors();
        List<String> ids = hosts.keySet().stream().filter(id -> id.equals(name) || hosts.get(id).equals(name)).toList();
        if (ids.isEmpty()) {
            return refuse("there is no Supervisor " + name + " in the cluster. There are, as HOST SUPERVISOR: "
                + (hosts.isEmpty() ? "none" : String.join(", ", hosts.entrySet().stream().map(one -> one.getValue() + " " + one.getKey())
                    .sorted().toList())));
        }
        return arguments.has("--cancel") ? cancel(ids, name) : drain(ids, name, timeoutSecs);
    }

    private int cancel(List<String> ids, String name) throws TException {
        for (String id : ids) {
            client.delete(DrainRequest.of(id).key());
        }
        out.println(name + " gets executors again.");
        return 0;
    }

    private int drain(List<String> ids, String name, long timeoutSecs) throws TException, InterruptedException {
        for (String id : ids) {
            Optional<DrainRequest> before = request(id);
            if (before.isEmpty() || before.get().progress() == Progress.REFUSED) {
                client.delete(DrainRequest.of(id).key());
                client.create(DrainRequest.of(id).key(), DrainRequest.of(id).toBytes());
            }
        }
        long responseSecs = 2L * client.scheduler().roundSecs() + RESPONSE_TIMEOUT_SECS;
        String shown = "";
        for (long passedMs = 0;; passedMs += POLL_MS) {
            List<DrainRequest> requests = new ArrayList<>();
            for (String id : ids) {
                request(id).ifPresent(requests::add);
            }
            List<DrainRequest> refused = with(requests, Progress.REFUSED);
            boolean isUnanswered = !with(requests, Progress.WAITING).isEmpty();
            if (!refused.isEmpty() || (isUnanswered && passedMs > TimeUnit.SECONDS.toMillis(responseSecs))) {
                for (DrainRequest one : requests) {
                    client.delete(one.key());
                }
                return refuse(refused.isEmpty() ? "Nimbus's scheduler has not responded for " + responseSecs
                    + " s. nimbus.log has the reason." : refused.get(0).text() + ".");
            }
            if (requests.size() < ids.size()) {
                return refuse("somebody has cancelled this, or the Supervisor has ended.");
            }
            if (with(requests, Progress.EMPTY).size() == ids.size()) {
                out.println(name + " is empty, and gets no executors until it has been stopped and started.");
                return 0;
            }
            String left = String.join(", ", with(requests, Progress.DRAINING).stream().map(DrainRequest::text).toList());
            if (passedMs >= TimeUnit.SECONDS.toMillis(timeoutSecs)) {
                return refuse(name + " is not empty after " + timeoutSecs + " s" + (left.isEmpty() ? "." : ", it has " + left + ".")
                    + " It gets no executors, and those that it has go on moving: the same command waits again, --cancel ends it.");
            }
            if (!left.isEmpty() && !left.equals(shown)) {
                out.println(name + " has " + left);
                shown = left;
            }
            pause.ms(POLL_MS);
        }
    }

    private Optional<DrainRequest> request(String id) throws TException {
        return client.read(DrainRequest.of(id).key()).map(DrainRequest::of);
    }

    private static List<DrainRequest> with(List<DrainRequest> requests, Progress progress) {
        return requests.stream().filter(request -> request.progress() == progress).toList();
    }

    private int refuse(String why) {
        err.println("storm drain: " + why);
        return 1;
    }
}
