package io.eyewall.client;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The lines of a level and above that classes log until this is closed. */
public final class CapturedLog extends AbstractAppender implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Level least;
    private final List<Logger> loggers;

    /** Begins to keep them. */
    public CapturedLog(Level least, Class<?>... classes) {
        this(least, null, classes);
    }

    /** Begins to keep those that a filter does not deny; all if it is null. */
    public CapturedLog(Level least, Filter filter, Class<?>... classes) {
        super("captured log " + UUID.randomUUID(), filter, null, false, Property.EMPTY_ARRAY); // A logger removes appenders by name.
        this.least = least;
        loggers = Stream.of(classes).map(each -> (Logger) LogManager.getLogger(each)).toList();
        start();
        for (Logger logger : loggers) {
            logger.addAppender(this);
            if (!logger.isEnabled(least)) {
                logger.setLevel(least);
            }
        }
    }

    /** Those so far. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void append(LogEvent event) {
        if (event.getLevel().isMoreSpecificThan(least)) {
            lines.add(event.getMessage().getFormattedMessage());
        }
    }

    @Override
    public void close() {
        loggers.forEach(logger -> logger.removeAppender(this));
        stop();
    }
}
