package io.eyewall.web.logs;

import io.eyewall.client.time.NanoClock;
import io.eyewall.web.PagesServlet;
import io.eyewall.web.UiSettings;
import io.eyewall.web.server.Daemon;
import io.eyewall.web.server.ServerKeys;
import io.eyewall.web.server.WebServer;
import java.time.InstantSource;
import java.util.Map;

/** {@code storm logviewer}: the web server, with the keys {@code logviewer.…}, and the cleaner. Methods may be called from any thread. */
public final class LogviewerServer extends WebServer {

    private final LogCleaner cleaner;

    /**
     * Describes the server; binds no port yet.
     *
     * @param conf Storm's configuration
     * @throws IllegalArgumentException names the key whose value is unusable
     */
    public LogviewerServer(Map<String, Object> conf) {
        this(conf, LogFiles.of(conf), NanoClock.SYSTEM);
    }

    /** The same for files elsewhere. */
    LogviewerServer(Map<String, Object> conf, LogFiles files, NanoClock clock) {
        super(ServerKeys.LOGVIEWER, conf, MAX_THREADS);
        UiSettings settings = new UiSettings(conf);
        cleaner = new LogCleaner(conf, files, InstantSource.system());
        LogviewerServlet logs = new LogviewerServlet(files, new LogAccess(conf), settings.jsonp(), settings.logviewerOrigins(), clock);
        serve("/", logs);
        serve("/style.css", new PagesServlet());
    }

    /** Runs until the JVM is asked to end; ends with exit code 1 if a value or port is unusable. */
    public static void main(String[] arguments) {
        Daemon.run("logviewer", (conf, metrics) -> new LogviewerServer(conf));
    }

    @Override
    public void start() throws StartException {
        super.start();
        cleaner.start();
    }

    @Override
    public void close() {
        cleaner.close();
        super.close();
    }
}
