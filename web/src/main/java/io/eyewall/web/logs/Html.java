package io.eyewall.web.logs;

import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A page, put together of texts that are escaped. The only long one is at its end, and escaped while it is sent. For one thread. */
final class Html {

    private final StringBuilder body = new StringBuilder();
    private final String title;
    private String log;

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

    /** Sets what the page ends with, as it is in a file. */
    Html log(String text) {
        log = text;
        return this;
    }

    void write(HttpServletResponse response, int status) throws IOException {
        response.setStatus(status);
        response.setContentType("text/html;charset=utf-8");
        response.setHeader("Cache-Control", "no-cache, no-store");
        Writer writer = new BufferedWriter(new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8));
        writer.append("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
            + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>").append(escaped(title))
            .append("</title><link rel=\"stylesheet\" href=\"/style.css\"></head><body>").append(body);
        if (log != null) {
            writer.append("<pre>");
            escape(log, writer);
            writer.append("</pre>");
        }
        writer.append("</main></body></html>").flush();
    }

    /** A value of a parameter in an address. */
    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        try {
            escape(text, escaped);
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory does not fail.", e);
        }
        return escaped.toString();
    }

    private static void escape(String text, Appendable to) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            switch (next) {
                case '&' -> to.append("&amp;");
                case '<' -> to.append("&lt;");
                case '>' -> to.append("&gt;");
                case '"' -> to.append("&quot;");
                case '\'' -> to.append("&#39;");
                default -> to.append(next);
            }
        }
    }
}
