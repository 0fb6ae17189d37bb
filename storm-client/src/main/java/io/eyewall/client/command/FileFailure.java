package io.eyewall.client.command;

import java.io.FileNotFoundException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Explains exceptions of the JDK's classes for files, some of which say what was wrong in their class names only. */
public final class FileFailure {

    private FileFailure() {
    }

    /** What was wrong with which file, and what to do; empty for other exceptions. */
    public static Optional<String> explain(Throwable failure) {
        if (failure instanceof FileAlreadyExistsException exists) {
            return Optional.of(exists.getFile() + " is no directory. Check the path.");
        }
        if (failure instanceof AccessDeniedException denied) {
            return Optional.of("permission denied: " + denied.getFile() + ". Name a file that you may write or read.");
        }
        return failure instanceof FileNotFoundException || failure instanceof NoSuchFileException
            ? Optional.of("no such file: " + FailureExplainer.text(failure.getMessage()) + " Check the path.")
            : Optional.empty();
    }
}
