package io.eyewall.core.report;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file is not what it should be; the message names the file, the line and what is wrong, in one line.
 */
public final class BadFileException extends IOException {

    private static final int SHOWN_CHARACTERS = 60;

    /** Says what is wrong with the file as a whole. */
    public BadFileException(Path file, String what) {
        super(file + ": " + what);
    }

    /** Says what is wrong in a line, counted from 1. */
    public BadFileException(Path file, long lineNumber, String what) {
        super(file + ":" + lineNumber + ": " + what);
    }

    /** The beginning of {@code text}, quoted, without the characters that a terminal would act on. */
    public static String quote(String text) {
        String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
        return "'" + (printable.length() <= SHOWN_CHARACTERS ? printable : printable.substring(0, SHOWN_CHARACTERS) + "...") + "'";
    }
}
