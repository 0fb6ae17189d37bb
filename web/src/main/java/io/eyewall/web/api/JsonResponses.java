package io.eyewall.web.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Writes JSON, in a function's call where that is switched on and asked for (JSONP). Safe for any thread.
 *
 * @param callbacks whether responses may be wrapped in a function
 */
public record JsonResponses(boolean callbacks) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final byte[] NOTHING = {};
    private static final Pattern CALLBACK = Pattern.compile("[A-Za-z_$][\\w$.]{0,99}");

    /** The name of the function to wrap a response in; null for none. */
    public String callback(Map<String, String> query) throws HttpException {
        String callback = query.get("callback");
        if (callback == null) {
            return null;
        }
        if (!callbacks) {
            throw HttpException.badRequest("callback (JSONP) is off, since it lets any site read responses. Leave it out, or set"
                + " ui.jsonp.enabled: true in the storm.yaml of the daemon.");
        }
        if (!CALLBACK.matcher(callback).matches()) {
            throw HttpException.badRequest("callback is " + Parameters.shown(callback) + ", which is not the name of a function.");
        }
        return callback;
    }

    /** The content of a response that reports an error. */
    public static Map<String, Object> error(int status, String message) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("error", status + " " + HttpStatus.getMessage(status));
        json.put("errorMessage", message);
        return json;
    }

    /** The content of a response as JSON, which may be written as a content, too. */
    static byte[] bytes(Object content) {
        try {
            return content instanceof byte[] made ? made : JSON.writeValueAsBytes(content);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("What handlers return can always be written as JSON.", e);
        }
    }

    /**
     * Writes a response.
     *
     * @param content what is written as JSON, or bytes that are JSON
     * @param callback the function to wrap it in; null for none
     */
    public static void write(HttpServletResponse response, int status, Object content, String callback) throws IOException {
        byte[] json = bytes(content);
        response.setStatus(status);
        response.setHeader("Cache-Control", "no-cache, no-store");
        response.setContentType(callback == null ? "application/json;charset=utf-8" : "application/javascript;charset=utf-8");
        byte[] before = callback == null ? NOTHING : (callback + "(").getBytes(StandardCharsets.UTF_8);
        byte[] behind = callback == null ? NOTHING : ");".getBytes(StandardCharsets.UTF_8);
        response.setContentLength(before.length + json.length + behind.length);
        for (byte[] part : List.of(before, json, behind)) {
            response.getOutputStream().write(part);
        }
    }
}
