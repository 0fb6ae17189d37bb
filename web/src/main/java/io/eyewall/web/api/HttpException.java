package io.eyewall.web.api;

/** A request that is refused: the status of the response, and a message for who sent it. */
public final class HttpException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;

    /** A refusal with a status from 400 on. */
    public HttpException(int status, String message) {
        super(message);
        this.status = status;
    }

    public static HttpException badRequest(String message) {
        return new HttpException(400, message);
    }

    public static HttpException notFound(String message) {
        return new HttpException(404, message);
    }

    /** The status of the response. */
    public int status() {
        return status;
    }
}
