package io.eyewall.integration.bench.elastic;

import io.eyewall.integration.cluster.WorkerFiles;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What workers that have departed say in their logs. */
public final class DepartureLogs {

    private static final Pattern HELD = Pattern.compile("It held (\\d+) of them at most at a time");

    private DepartureLogs() {
    }

    /**
     * How many tuples one of the topology's workers held for others, at most at a time; empty if none has departed.
     *
     * @param logs the directory of a cluster's logs
     * @param topology the name of the topology, or its id
     */
    public static OptionalLong mostHeldTuples(Path logs, String topology) {
        OptionalLong most = OptionalLong.empty();
        for (String log : WorkerFiles.logs(logs, topology)) {
            Matcher held = HELD.matcher(log);
            while (held.find()) {
                most = OptionalLong.of(Math.max(most.orElse(0), Long.parseLong(held.group(1))));
            }
        }
        return most;
    }
}
