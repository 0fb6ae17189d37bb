package io.eyewall.core.report;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when a file does not have the expected format. The message names the file, the line and the error, in one line. */
public final class BadFileException extends IOException {

    private static final int SHOWN_CHARACTERS = 60;

    /** An error of the file as a whole. */
    public BadFileException(Path file, String what) {
        super(file + ": " + what);
    }

    /** An error in a line; lines count from 1. */
    public BadFileException(Path file, long lineNumber, String what) {
        super(file + ":" + lineNumber + ": " + what);
    }

    /** The beginning of {@code text}, quoted, without control characters. */
    public static String quote(String text) {
        String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
        return "'" + (printable.length() <= SHOWN_CHARACTERS ? printable : printable.substring(0, SHOWN_CHARACTERS) + "...") + "'";
    }
}
