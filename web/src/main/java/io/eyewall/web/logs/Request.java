package io.eyewall.web.logs;

import io.eyewall.web.api.HttpException;
import io.eyewall.web.api.Parameters;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;

/**
 * What somebody asks the logviewer for, checked when it is read, and where the response goes.
 *
 * @param segments the parts of the address behind its name
 * @param query the parameters behind the question mark
 * @param callback the function to wrap a JSON response in; null for none
 * @param reader who asks
 */
record Request(List<String> segments, Map<String, String> query, String callback, LogAccess.Reader reader, HttpServletRequest servlet,
        HttpServletResponse response) {

    /** A parameter that must be there. */
    String required(String name, String example) throws HttpException {
        String value = query.getOrDefault(name, "");
        if (value.isEmpty()) {
            throw HttpException.badRequest(name + " is missing. Add ?" + name + "=" + example + ".");
        }
        return value;
    }

    /** A number of matches, files or the like. */
    int number(String name, int otherwise, int min, int max) throws HttpException {
        String value = query.getOrDefault(name, "");
        return value.isEmpty() ? otherwise : Parameters.whole(name, value, min, max);
    }

    /** A number of bytes; {@code otherwise} if it is not there. */
    long offset(String name, long otherwise) throws HttpException {
        String value = query.getOrDefault(name, "");
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            long offset = Long.parseLong(value);
            if (offset >= 0) {
                return offset;
            }
        } catch (NumberFormatException notANumber) {
            // Falls through to the message.
        }
        throw HttpException.badRequest(name + " is " + Parameters.shown(value) + ". Use a number of bytes from 0.");
    }

    /** A switch, which upstream's forms set to {@code on} or {@code yes}. */
    boolean flag(String name) throws HttpException {
        String value = query.getOrDefault(name, "");
        return switch (value) {
            case "on", "yes", "true", "1" -> true;
            case "off", "no", "false", "0", "" -> false;
            default -> throw HttpException.badRequest(name + " is " + Parameters.shown(value) + ". Use yes or no.");
        };
    }
}
