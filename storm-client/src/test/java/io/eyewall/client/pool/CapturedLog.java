package io.eyewall.client.pool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The lines of INFO and above that a class logs until this is closed. */
final class CapturedLog extends AbstractAppender implements AutoCloseable {

    final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    /** Begins to keep them. */
    CapturedLog(Class<?> logs) {
        super("captured log", null, null, false, Property.EMPTY_ARRAY);
        logger = (Logger) LogManager.getLogger(logs);
        logger.setLevel(Level.INFO);
        start();
        logger.addAppender(this);
    }

    @Override
    public void append(LogEvent event) {
        lines.add(event.getMessage().getFormattedMessage());
    }

    @Override
    public void close() {
        logger.removeAppender(this);
        stop();
    }
}
