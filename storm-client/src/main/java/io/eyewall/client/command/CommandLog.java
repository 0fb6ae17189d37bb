package io.eyewall.client.command;

import java.io.OutputStream;
import java.io.PrintStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.NullConfiguration;
import org.apache.logging.log4j.core.config.Property;

/**
 * The log of upstream's commands, reduced to their output.
 *
 * <p>Upstream's commands write their results through their loggers ({@code heartbeats list}, {@code blobstore list}): those lines go to
 * standard output without prefix. Log lines of libraries are dropped. A failure that a command logs and does not throw ({@code admin} logs
 * it and then prints its usage) is explained on standard error, and the rest of standard error is dropped.
 */
final class CommandLog extends AbstractAppender {

    private static final String[] OUTPUT_OF_COMMANDS = {"org.apache.storm.command", "org.apache.storm.healthcheck"};

    private final PrintStream output;
    private final PrintStream errors;
    private final FailureExplainer explainer;
    /**
     * Kept here because log4j has only a weak reference. If the context were collected, log4j would start again with its own configuration.
     */
    private LoggerContext context;
    /** Written by the thread that logs, read by the one that ran the command. */
    private volatile String lastPrinted = "";

    CommandLog(PrintStream output, PrintStream errors, FailureExplainer explainer) {
        super("commands", null, null, false, Property.EMPTY_ARRAY);
        this.output = output;
        this.errors = errors;
        this.explainer = explainer;
    }

    /** Makes this the only appender of the process. To be called before anything logs. */
    void install() {
        start();
        NullConfiguration configuration = new NullConfiguration();
        for (String name : OUTPUT_OF_COMMANDS) {
            LoggerConfig logger = new LoggerConfig(name, Level.INFO, false);
            logger.addAppender(this, Level.INFO, null);
            configuration.addLogger(name, logger);
        }
        context = Configurator.initialize(configuration);
        // Starting an empty configuration gives its root logger the defaults.
        configuration.getRootLogger().setLevel(Level.OFF);
        context.updateLoggers();
    }

    /** Whether the command itself has logged the failure that it threw. */
    boolean hasPrinted(String explanation) {
        return !lastPrinted.isBlank() && explanation.startsWith(lastPrinted);
    }

    @Override
    public void append(LogEvent event) {
        String message = event.getMessage().getFormattedMessage();
        if (!event.getLevel().isMoreSpecificThan(Level.WARN)) {
            output.println(message);
        } else if (event.getThrown() == null) {
            errors.println("storm: " + message);
            lastPrinted = message;
        } else {
            errors.println("storm: " + explainer.explain(event.getThrown()).orElse(message));
            if (event.getLevel().isMoreSpecificThan(Level.ERROR)) {
                System.setErr(new PrintStream(OutputStream.nullOutputStream(), false));
            }
        }
    }
}
