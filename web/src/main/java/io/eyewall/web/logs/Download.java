package io.eyewall.web.logs;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hands out a file as it lies on the disk, or the part that the header {@code Range} asks for. */
final class Download {

    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");
    private static final int BUFFER_BYTES = 1 << 16;

    private Download() {
    }

    /**
     * A part of a file.
     *
     * @param first byte
     * @param last byte, itself included
     */
    private record Part(long first, long last) {

        long length() {
            return last - first + 1;
        }
    }

    static void write(Request asked, LogFile file) throws IOException {
        long size = file.size();
        HttpServletResponse response = asked.response();
        response.setHeader("Accept-Ranges", "bytes");
        Optional<Part> range = range(asked.servlet().getHeader("Range"), size);
        if (range.isPresent() && range.get().length() <= 0) {
            response.setStatus(HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE);
            response.setHeader("Content-Range", "bytes */" + size);
            return;
        }
        Part part = range.orElse(new Part(0, size - 1));
        response.setStatus(range.isPresent() ? HttpServletResponse.SC_PARTIAL_CONTENT : HttpServletResponse.SC_OK);
        if (range.isPresent()) {
            response.setHeader("Content-Range", "bytes " + part.first() + "-" + part.last() + "/" + size);
        }
        response.setContentType("application/octet-stream");
        response.setHeader("Content-Disposition", "attachment; filename=\"" + file.name().replaceAll("[^\\w.-]", "-") + "\"");
        response.setHeader("Cache-Control", "no-cache, no-store");
        response.setContentLengthLong(part.length());
        try (InputStream input = file.bytes()) {
            input.skipNBytes(part.first());
            copy(input, response.getOutputStream(), part.length());
        }
    }

    /** A log may grow meanwhile: no more than was announced. */
    private static void copy(InputStream input, OutputStream output, long length) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long left = length;
        while (left > 0) {
            int read = input.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (read < 0) {
                throw new IOException("The file has become shorter while it was handed out.");
            }
            output.write(buffer, 0, read);
            left -= read;
        }
    }

    /** Empty if the whole file is to be sent, as it is for several ranges at once; of no length if there is no such part. */
    private static Optional<Part> range(String header, long size) {
        Matcher range = RANGE.matcher(header == null ? "" : header);
        if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
            return Optional.empty();
        }
        if (range.group(1).isEmpty()) {
            return Optional.of(new Part(Math.max(0, size - Long.parseLong(range.group(2))), size - 1));
        }
        long first = Long.parseLong(range.group(1));
        long last = range.group(2).isEmpty() ? size - 1 : Math.min(size - 1, Long.parseLong(range.group(2)));
        return Optional.of(first <= last ? new Part(first, last) : new Part(0, -1));
    }
}
