package io.eyewall.web.drpc;

import io.eyewall.web.api.Callers;
import io.eyewall.web.api.CsrfCheck;
import io.eyewall.web.api.HttpException;
import io.eyewall.web.api.JsonResponses;
import io.eyewall.web.api.Parameters;
import io.eyewall.web.api.RequestAddress;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.storm.daemon.drpc.DRPC;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls functions: {@code POST /drpc/FUNCTION} with the argument as body, {@code GET /drpc/FUNCTION/ARGUMENT}. The response is the result
 * as text; an error is JSON. {@code drpc.authorizer} decides as it does over Thrift. Called by many threads, each of which waits for its
 * call's result.
 */
final class DrpcServlet extends HttpServlet {

    /** Where functions are called. */
    static final String ROOT = "/drpc/";

    private static final Logger LOG = LoggerFactory.getLogger(DrpcServlet.class);
    private static final String OPERATION = "execute";

    private final DRPC calls;
    private final Callers callers;
    private final int mostBytes;
    private final Semaphore places;
    private final Set<String> names;
    /** Held for reading while a request is answered. */
    private final ReadWriteLock answering = new ReentrantReadWriteLock();

    /**
     * Calls the functions of a DRPC server.
     *
     * @param mostBytes how long an argument may be
     * @param mostCalls how many calls may wait for their results
     * @param names by which browsers may call this server, in lower case
     */
    DrpcServlet(DRPC calls, Callers callers, int mostBytes, int mostCalls, Set<String> names) {
        this.calls = calls;
        this.callers = callers;
        this.mostBytes = mostBytes;
        places = new Semaphore(mostCalls);
        this.names = names;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answerWhole(request, response);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answerWhole(request, response);
    }

    /**
     * Waits until the requests under way are answered, for that time at most. Called when their calls have ended, before the connections
     * are closed.
     */
    void awaitAnswers(Duration atMost) {
        try {
            if (answering.writeLock().tryLock(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                answering.writeLock().unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answerWhole(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answering.readLock().lock();
        try {
            answer(request, response);
            response.flushBuffer();
        } finally {
            answering.readLock().unlock();
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int status;
        String message;
        try {
            byte[] result = call(request).getBytes(StandardCharsets.UTF_8);
            response.setContentType("text/plain;charset=utf-8");
            response.setHeader("Cache-Control", "no-cache, no-store");
            response.setContentLength(result.length);
            response.getOutputStream().write(result);
            return;
        } catch (HttpException e) {
            status = e.status();
            message = e.getMessage();
        } catch (AuthorizationException e) {
            status = HttpServletResponse.SC_FORBIDDEN;
            message = e.get_msg();
        } catch (DRPCExecutionException e) {
            status = status(e.get_type());
            message = e.get_msg();
        } catch (RuntimeException e) {
            LOG.error("Cannot serve {} {}", request.getMethod(), request.getRequestURI(), e);
            status = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
            message = "The DRPC server failed. Its log says why.";
        }
        JsonResponses.write(response, status, JsonResponses.error(status, message), null);
    }

    private String call(HttpServletRequest request) throws HttpException, IOException, AuthorizationException, DRPCExecutionException {
        // A call may change something, and needs no token.
        CsrfCheck.requireOwnPage(request, names);
        List<String> parts = RequestAddress.exactly(ROOT, request).segments();
        String function = parts.get(0);
        if (function.isEmpty()) {
            throw HttpException.badRequest("Which function? Use " + ROOT + "FUNCTION.");
        }
        boolean post = request.getMethod().equals("POST");
        String inPath = String.join("/", parts.subList(1, parts.size()));
        if (post && !inPath.isEmpty()) {
            throw HttpException.badRequest("The argument of a POST is its body. Leave it out of the address.");
        }
        // The body comes first, since asking a servlet for a parameter reads that of a form.
        String argument = post ? Parameters.body(request, mostBytes) : inPath;
        callers.enter(request, OPERATION);
        if (!places.tryAcquire()) {
            throw new HttpException(HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                "The limit of drpc.worker.threads on calls over HTTP is reached. Try again later, or raise the limit.");
        }
        try {
            return calls.executeBlocking(function, argument);
        } finally {
            places.release();
        }
    }

    private static int status(DRPCExceptionType type) {
        return switch (type == null ? DRPCExceptionType.INTERNAL_ERROR : type) {
            case FAILED_REQUEST -> HttpServletResponse.SC_BAD_REQUEST;
            case SERVER_SHUTDOWN -> HttpServletResponse.SC_SERVICE_UNAVAILABLE;
            case SERVER_TIMEOUT -> HttpServletResponse.SC_GATEWAY_TIMEOUT;
            case INTERNAL_ERROR -> HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
        };
    }
}
