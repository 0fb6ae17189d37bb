package io.eyewall.web.logs;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A page, put together of texts that are escaped. Not safe for more than one thread. */
final class Html {

    private final StringBuilder body = new StringBuilder();
    private final String title;

    Html(String title) {
        this.title = title;
        body.append("<main><h1>").append(escaped(title)).append("</h1>");
    }

    /** Adds markup that this class's user has written. */
    Html markup(String markup) {
        body.append(markup);
        return this;
    }

    Html text(String text) {
        body.append(escaped(text));
        return this;
    }

    /** Adds a link, with a blank behind it. */
    Html link(String address, String text) {
        body.append("<a href=\"").append(escaped(address)).append("\">").append(escaped(text)).append("</a> ");
        return this;
    }

    void write(HttpServletResponse response, int status) throws IOException {
        String page = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
            + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" + escaped(title)
            + "</title><link rel=\"stylesheet\" href=\"/style.css\"></head><body>" + body + "</main></body></html>";
        byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("text/html;charset=utf-8");
        response.setHeader("Cache-Control", "no-cache, no-store");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    /** A value of a parameter in an address. */
    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            switch (next) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(next);
            }
        }
        return escaped.toString();
    }
}
