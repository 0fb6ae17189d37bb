package io.eyewall.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;

/** What the API lets callers do to a topology. Nimbus does most of it by name, so that its name is asked for first. */
final class TopologyActions {

    private static final int MAX_SECS = 86_400;
    private static final int MAX_PERCENT = 100;
    private static final int MAX_WORKERS = 100_000;

    Object activate(Nimbus.Iface nimbus, Parameters asked) throws TException {
        nimbus.activate(name(nimbus, asked));
        return done(asked, "activate");
    }

    Object deactivate(Nimbus.Iface nimbus, Parameters asked) throws TException {
        nimbus.deactivate(name(nimbus, asked));
        return done(asked, "deactivate");
    }

    Object kill(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        KillOptions options = new KillOptions();
        options.set_wait_secs(asked.number("wait", 0, MAX_SECS));
        nimbus.killTopologyWithOpts(name(nimbus, asked), options);
        return done(asked, "kill");
    }

    /** The body may say how many workers and executors there are to be, as upstream documents and does not do. */
    Object rebalance(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(asked.number("wait", 0, MAX_SECS));
        JsonNode wanted = asked.json().path("rebalanceOptions");
        if (wanted.hasNonNull("numWorkers")) {
            options.set_num_workers(Parameters.whole("numWorkers", wanted.get("numWorkers").asText(), 1, MAX_WORKERS));
        }
        JsonNode executors = wanted.path("executors");
        if (!executors.isMissingNode() && !executors.isNull()) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> entry : object("executors", executors).properties()) {
                Routes.requireComponent(nimbus, asked.path("id"), entry.getKey());
                counts.put(entry.getKey(),
                    Parameters.whole("executors." + entry.getKey(), entry.getValue().asText(), 1, MAX_WORKERS));
            }
            options.set_num_executors(counts);
        }
        nimbus.rebalance(name(nimbus, asked), options);
        return done(asked, "rebalance");
    }

    /** Logs a share of the tuples of a component, or of all of a topology's. */
    Object debug(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        String state = asked.path("state");
        if (!state.equals("enable") && !state.equals("disable")) {
            throw HttpException.badRequest("debug is " + Parameters.shown(state) + ". Use enable or disable.");
        }
        int percent = asked.number("percent", 0, MAX_PERCENT);
        String component = asked.path().getOrDefault("component", "");
        if (!component.isEmpty()) {
            Routes.requireComponent(nimbus, asked.path("id"), component);
        }
        nimbus.debug(name(nimbus, asked), component, state.equals("enable"), percent);
        return done(asked, "debug/" + state);
    }

    Object logLevels(Nimbus.Iface nimbus, Parameters asked) throws TException {
        name(nimbus, asked);
        return levels(nimbus.getLogConfig(asked.path("id")));
    }

    Object setLogLevels(Nimbus.Iface nimbus, Parameters asked) throws HttpException, TException {
        name(nimbus, asked);
        LogConfig changes = new LogConfig();
        for (Map.Entry<String, JsonNode> entry : object("namedLoggerLevels", asked.json().path("namedLoggerLevels")).properties()) {
            changes.put_to_named_logger_level(entry.getKey(), level(entry.getKey(), object(entry.getKey(), entry.getValue())));
        }
        nimbus.setLogConfig(asked.path("id"), changes);
        return levels(nimbus.getLogConfig(asked.path("id")));
    }

    /** The topology's name; Nimbus throws if no such topology runs. */
    static String name(Nimbus.Iface nimbus, Parameters asked) throws TException {
        return nimbus.getTopologySummary(asked.path("id")).get_name();
    }

    private static LogLevel level(String logger, JsonNode wanted) throws HttpException {
        LogLevel level = new LogLevel();
        if (!wanted.hasNonNull("target_level")) {
            level.set_action(LogLevelAction.REMOVE);
            return level;
        }
        String target = wanted.get("target_level").asText();
        if (Level.getLevel(target) == null) {
            throw HttpException.badRequest("target_level of " + Parameters.shown(logger) + " is " + Parameters.shown(target)
                + ". Use one of OFF, FATAL, ERROR, WARN, INFO, DEBUG, TRACE, ALL.");
        }
        level.set_action(LogLevelAction.UPDATE);
        level.set_target_log_level(target);
        level.set_reset_log_level_timeout_secs(Parameters.whole("timeout", wanted.path("timeout").asText("0"), 0, MAX_SECS));
        return level;
    }

    private static JsonNode object(String name, JsonNode value) throws HttpException {
        if (!value.isObject()) {
            throw HttpException.badRequest(Parameters.shown(name) + " in the body must be a JSON object.");
        }
        return value;
    }

    private static Map<String, Object> levels(LogConfig config) {
        Map<String, Object> levels = new LinkedHashMap<>();
        if (config.is_set_named_logger_level()) {
            config.get_named_logger_level().forEach((logger, level) -> {
                Map<String, Object> json = new LinkedHashMap<>();
                json.put("target_level", level.get_target_log_level());
                json.put("reset_level", level.get_reset_log_level());
                json.put("timeout", level.get_reset_log_level_timeout_secs());
                json.put("timeout_epoch", level.get_reset_log_level_timeout_epoch());
                levels.put(logger, json);
            });
        }
        return new LinkedHashMap<>(Map.of("namedLoggerLevels", levels));
    }

    private static Map<String, Object> done(Parameters asked, String operation) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topologyOperation", operation);
        json.put("topologyId", asked.path("id"));
        json.put("status", "success");
        return json;
    }
}
