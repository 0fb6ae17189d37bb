package io.eyewall.web.logs;

import io.eyewall.client.time.NanoClock;
import io.eyewall.web.api.ApiServlet;
import io.eyewall.web.api.HttpException;
import io.eyewall.web.api.JsonResponses;
import io.eyewall.web.api.Parameters;
import io.eyewall.web.api.RequestAddress;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the addresses of upstream's logviewer, each with a check of who asks. Errors are pages where people look, JSON elsewhere, never
 * stack traces. Called by many threads.
 */
final class LogviewerServlet extends HttpServlet {

    private static final Logger LOG = LoggerFactory.getLogger(LogviewerServlet.class);
    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(10);
    private static final int UNREADABLE = 422;
    private static final int MAX_NAMES = 20_000;

    private final LogFiles files;
    private final LogAccess access;
    private final JsonResponses responses;
    private final Set<String> origins;
    private final SearchLimits limits;
    private final LogPages pages;
    private final LogSearches searches;
    private final List<Address> addresses;

    /** Writes the response, or throws why not. */
    @FunctionalInterface
    private interface Handler {

        void handle(Request asked) throws HttpException, IOException;
    }

    /**
     * One address.
     *
     * @param name the first part of its path below {@code /api/v1/}; empty for the page at {@code /}
     * @param arguments the number of parts behind it
     * @param page whether people look at its response in a browser
     */
    record Address(String name, int arguments, boolean page, Handler handler) {
    }

    /**
     * With the files of this host.
     *
     * @param origins the sites whose pages may read responses
     */
    LogviewerServlet(LogFiles files, LogAccess access, boolean callbacks, Set<String> origins, NanoClock clock) {
        this.files = files;
        this.access = access;
        this.responses = new JsonResponses(callbacks);
        this.origins = origins;
        limits = new SearchLimits(clock, LONGEST_SEARCH);
        pages = new LogPages(files, limits);
        searches = new LogSearches(files, limits);
        FlameGraphPages flameGraphs = new FlameGraphPages(origins);
        addresses = List.of(
            new Address("", 0, true, pages::overview),
            new Address("log", 0, true, asked -> pages.log(asked, worker(asked))),
            new Address("daemonlog", 0, true, asked -> pages.log(asked, daemon(asked))),
            new Address("download", 0, false, asked -> Download.write(asked, worker(asked))),
            new Address("daemondownload", 0, false, asked -> Download.write(asked, daemon(asked))),
            new Address("listLogs", 0, false, this::list),
            new Address("searchLogs", 0, false, this::list),
            new Address("search", 0, false, this::search),
            new Address("deepSearch", 1, false, searches::deep),
            new Address("dumps", 2, true, asked -> pages.dumps(asked, dumping(asked))),
            new Address("dumps", 3, false, this::dump),
            new Address("flame-graph", 3, true, asked -> flameGraphs.write(asked, files.file(dumping(asked), asked.segments().get(2)))));
    }

    /** All addresses, for those who check them. */
    List<Address> addresses() {
        return addresses;
    }

    @Override
    protected void doGet(HttpServletRequest servlet, HttpServletResponse response) throws IOException {
        boolean page = false;
        String callback = null;
        try {
            allowOrigin(servlet, response);
            RequestAddress address = RequestAddress.of(ApiServlet.ROOT, servlet);
            Address found = find(servlet, address);
            page = found.page();
            if (!page) {
                callback = responses.callback(address.query());
            }
            LogAccess.Reader reader = access.reader(servlet);
            reader.requireLogin();
            found.handler().handle(new Request(address.segments().subList(1, address.segments().size()), address.query(), callback,
                reader, servlet, response));
        } catch (HttpException e) {
            refuse(response, page, e.status(), e.getMessage(), callback);
        } catch (NoSuchFileException e) {
            refuse(response, page, HttpServletResponse.SC_NOT_FOUND, "The log was removed or rolled just now. Try again.", callback);
        } catch (AccessDeniedException e) {
            refuse(response, page, HttpServletResponse.SC_FORBIDDEN, "The logviewer's own user may not read this file.", callback);
        } catch (ZipException | EOFException e) {
            refuse(response, page, UNREADABLE, "The file is not complete, or is not compressed although its name says so.", callback);
        } catch (IOException | RuntimeException e) {
            LOG.error("Cannot serve {}", servlet.getRequestURI(), e);
            if (response.isCommitted()) {
                throw e;
            }
            refuse(response, page, HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "The logviewer failed. Its log says why.", callback);
        }
    }

    private Address find(HttpServletRequest servlet, RequestAddress asked) throws HttpException {
        boolean home = servlet.getRequestURI().equals("/");
        for (Address address : addresses) {
            if (home ? address.name().isEmpty()
                : address.name().equals(asked.segments().get(0)) && address.arguments() == asked.segments().size() - 1
                    && !address.name().isEmpty()) {
                return address;
            }
        }
        throw HttpException.notFound("There is no such address. Logs are listed at /.");
    }

    /** Lets pages of some sites read responses, with their reader's login. */
    private void allowOrigin(HttpServletRequest servlet, HttpServletResponse response) {
        response.setHeader("Vary", "Origin");
        String origin = servlet.getHeader("Origin");
        if (origin != null && origins.contains(origin)) {
            response.setHeader("Access-Control-Allow-Origin", origin);
            response.setHeader("Access-Control-Allow-Credentials", "true");
        }
    }

    private LogFile worker(Request asked) throws HttpException {
        String name = asked.required("file", "TOPOLOGY-ID/PORT/worker.log");
        return allowed(asked, files.ofWorker(name));
    }

    private LogFile daemon(Request asked) throws HttpException {
        String name = asked.required("file", "supervisor.log");
        asked.reader().require(null);
        return files.ofDaemon(name);
    }

    private void search(Request asked) throws HttpException, IOException {
        searches.one(asked, asked.flag("is-daemon") ? daemon(asked) : worker(asked));
    }

    private void list(Request asked) throws HttpException, IOException {
        String topology = asked.query().getOrDefault("topoId", "");
        String port = asked.query().getOrDefault("port", "");
        if (!port.isEmpty()) {
            Parameters.whole("port", port, 0, 65_535);
        }
        limits.search(over -> {
            List<String> names = new ArrayList<>();
            for (WorkerDirectory directory : topology.isEmpty() ? files.directories() : files.directories(topology)) {
                if ((port.isEmpty() || port.equals(directory.port())) && asked.reader().mayRead(directory)) {
                    files.files(directory).forEach(file -> names.add(file.name()));
                }
                if (names.size() > MAX_NAMES || over.getAsBoolean()) {
                    throw SearchLimits.tooMany();
                }
            }
            json(asked, names);
            return null;
        });
    }

    private void dump(Request asked) throws HttpException, IOException {
        LogFile file = files.file(dumping(asked), asked.segments().get(2));
        if (!LogPages.isDump(file)) {
            throw HttpException.notFound("This is not a dump: " + Parameters.shown(file.fileName()) + ".");
        }
        Download.write(asked, file);
    }

    private WorkerDirectory dumping(Request asked) throws HttpException {
        String worker = asked.segments().get(1);
        int colon = worker.lastIndexOf(':');
        if (colon < 1) {
            throw HttpException.badRequest("The worker is " + Parameters.shown(worker) + ". Use HOST:PORT.");
        }
        WorkerDirectory directory = files.directory(asked.segments().get(0), worker.substring(colon + 1));
        asked.reader().require(directory);
        return directory;
    }

    private static LogFile allowed(Request asked, LogFile file) throws HttpException {
        asked.reader().require(file.owner());
        return file;
    }

    private static void json(Request asked, Object content) throws IOException {
        JsonResponses.write(asked.response(), HttpServletResponse.SC_OK, content, asked.callback());
    }

    private static void refuse(HttpServletResponse response, boolean page, int status, String message, String callback)
            throws IOException {
        if (page) {
            new Html("Logs").markup("<p>").text(message).markup("</p><p>").link("/", "All logs").markup("</p>").write(response, status);
        } else {
            Map<String, Object> error = JsonResponses.error(status, message);
            JsonResponses.write(response, status, error, callback);
        }
    }
}
