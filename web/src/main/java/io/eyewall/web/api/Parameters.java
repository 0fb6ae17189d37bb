package io.eyewall.web.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.web.json.Values;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * What a request says, checked when it is asked for.
 *
 * @param path the parts of the address that the route names, decoded
 * @param query the parameters behind the question mark, each with its first value
 * @param body of a POST; empty if there is none
 * @param user who has logged in; null if nobody has
 */
public record Parameters(Map<String, String> path, Map<String, String> query, String body, String user) {

    private static final int TOO_LARGE = 413;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A part of the address, such as {@code id}. */
    String path(String name) {
        return path.get(name);
    }

    /** A part of the address that is a whole number from {@code min} to {@code max}. */
    int number(String name, int min, int max) throws HttpException {
        return whole(name, path(name), min, max);
    }

    /** The window of figures: all time unless the request says otherwise. */
    String window() throws HttpException {
        String window = query.getOrDefault("window", Values.ALL_TIME);
        if (!Values.WINDOWS.contains(window)) {
            throw HttpException.badRequest("window is " + shown(window) + ". Use one of " + String.join(", ", Values.WINDOWS) + ".");
        }
        return window;
    }

    /** Whether Storm's own components and streams are asked for, too. */
    boolean system() throws HttpException {
        String value = query.getOrDefault("sys", "0");
        return switch (value) {
            case "1", "true" -> true;
            case "0", "false", "" -> false;
            default -> throw HttpException.badRequest("sys is " + shown(value) + ". Use 1 or 0.");
        };
    }

    /** One of some words: the first of them unless the request says otherwise. */
    String choice(String name, String... words) throws HttpException {
        String value = query.getOrDefault(name, words[0]);
        if (!List.of(words).contains(value)) {
            throw HttpException.badRequest(name + " is " + shown(value) + ". Use one of " + String.join(", ", words) + ".");
        }
        return value;
    }

    /** The body as a JSON object; an empty one if there is no body. */
    JsonNode json() throws HttpException {
        if (body.isBlank()) {
            return JSON.createObjectNode();
        }
        try {
            JsonNode json = JSON.readTree(body);
            if (json.isObject()) {
                return json;
            }
        } catch (JsonProcessingException e) {
            throw HttpException.badRequest("The body is not JSON: " + e.getOriginalMessage() + ".");
        }
        throw HttpException.badRequest("The body is JSON, but not an object: begin it with {.");
    }

    /**
     * The body of a request, as text in UTF-8.
     *
     * @throws HttpException a 413 if it has more than {@code most} bytes
     */
    public static String body(HttpServletRequest request, int most) throws HttpException, IOException {
        try (InputStream input = request.getInputStream()) {
            byte[] body = input.readNBytes(most);
            if (input.read() >= 0) {
                throw new HttpException(TOO_LARGE, "The body has more than " + most + " bytes.");
            }
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** A whole number in a JSON body, also as a string, since upstream's examples have both. */
    public static int whole(String name, String value, int min, int max) throws HttpException {
        return Math.toIntExact(whole(name, value, (long) min, max));
    }

    /** The same for numbers that may be longer, such as times. */
    static long whole(String name, String value, long min, long max) throws HttpException {
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Falls through to the message.
        }
        throw HttpException.badRequest(name + " is " + shown(value) + ". Use a whole number from " + min + " to " + max + ".");
    }

    /** A value of the caller's in a message: not more of it than a reader needs. */
    public static String shown(String value) {
        int most = 60;
        return "'" + (value.length() > most ? value.substring(0, most) + "…" : value) + "'";
    }
}
