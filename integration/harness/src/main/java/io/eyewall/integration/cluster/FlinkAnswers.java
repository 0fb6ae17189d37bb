package io.eyewall.integration.cluster;

import java.util.List;
import java.util.Map;
import net.minidev.json.JSONObject;
import net.minidev.json.parser.JSONParser;
import net.minidev.json.parser.ParseException;

/** What Flink's JobManager answers over HTTP. Anything unexpected is a {@link ClusterException} that shows the answer. */
final class FlinkAnswers {

    private FlinkAnswers() {
    }

    /** The id of the only job, from the answer to {@code /jobs}. */
    static String job(String answer) {
        if (parse(answer).get("jobs") instanceof List<?> jobs && jobs.size() == 1 && jobs.get(0) instanceof Map<?, ?> job
            && job.get("id") instanceof String id) {
            return id;
        }
        throw notExpected("one job", answer);
    }

    /** How many checkpoints a job has completed, from the answer to {@code /jobs/<id>/checkpoints}. */
    static long completedCheckpoints(String answer) {
        if (parse(answer).get("counts") instanceof Map<?, ?> counts && counts.get("completed") instanceof Number completed) {
            return completed.longValue();
        }
        throw notExpected("counts of checkpoints", answer);
    }

    private static JSONObject parse(String answer) {
        try {
            if (new JSONParser(JSONParser.MODE_PERMISSIVE).parse(answer) instanceof JSONObject object) {
                return object;
            }
        } catch (ParseException e) {
            throw new ClusterException("Flink's JobManager returned no JSON: " + answer, e);
        }
        throw notExpected("an object", answer);
    }

    private static ClusterException notExpected(String expected, String answer) {
        return new ClusterException("Flink's JobManager was to return " + expected + ", and returned " + answer
            + ". Is it another version of Flink?");
    }
}
