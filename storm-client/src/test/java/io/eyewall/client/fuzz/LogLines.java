package io.eyewall.client.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/**
 * Keeps the lines of some level and above that are logged until it is closed, and counts them by logger. Lines of ZooKeeper do not count:
 * its threads may still be ending after an earlier test of the same JVM, and no port that is tested is ZooKeeper's.
 */
public final class LogLines extends AbstractAppender implements AutoCloseable {

    private final Level least;
    /** Libraries that log in Java's own way write to the standard error stream, which is logged, too. */
    private final Handler ofLibraries = new Handler() {
        @Override
        public void publish(LogRecord line) {
            count(String.valueOf(line.getLoggerName()));
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    };
    private final Map<String, LongAdder> lines = new ConcurrentHashMap<>();
    private final Queue<String> texts = new ConcurrentLinkedQueue<>();

    /** Begins with those of INFO. */
    public LogLines() {
        this(Level.INFO);
    }

    /** Begins with those of a level and above. */
    public LogLines(Level least) {
        super("log lines", null, null, false, Property.EMPTY_ARRAY);
        this.least = least;
        start();
        root().addAppender(this);
        java.util.logging.Logger.getGlobal().getParent().addHandler(ofLibraries);
    }

    @Override
    public void append(LogEvent event) {
        if (event.getLevel().isMoreSpecificThan(least) && !event.getLoggerName().contains(".zookeeper.")) {
            texts.add(event.getMessage().getFormattedMessage());
            count(event.getLoggerName());
        }
    }

    private void count(String logger) {
        lines.computeIfAbsent(logger, added -> new LongAdder()).increment();
    }

    /** Fails if some logger has logged more lines. */
    public void assertAtMost(int bound) {
        assertTrue(lines.values().stream().allMatch(count -> count.sum() <= bound), this::toString);
    }

    /** How many lines begin with a text. */
    public long thatBegin(String text) {
        return texts.stream().filter(line -> line.startsWith(text)).count();
    }

    /** Fails unless some line begins with one text and has the other in it. */
    public void assertLogged(String begins, String contains) {
        assertTrue(texts.stream().anyMatch(line -> line.startsWith(begins) && line.contains(contains)), texts::toString);
    }

    @Override
    public String toString() {
        return lines.toString();
    }

    @Override
    public void close() {
        java.util.logging.Logger.getGlobal().getParent().removeHandler(ofLibraries);
        root().removeAppender(this);
        stop();
    }

    private static Logger root() {
        return (Logger) LogManager.getRootLogger();
    }
}
