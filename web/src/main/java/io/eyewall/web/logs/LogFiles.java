package io.eyewall.web.logs;

import io.eyewall.web.api.HttpException;
import io.eyewall.web.api.Parameters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.storm.utils.ConfigUtils;

/**
 * Finds log files by name. A file is found only if it lies where its name says, behind all links: a link that a worker has made leads to no
 * file of another worker, of a daemon or elsewhere. Safe for any thread.
 */
final class LogFiles {

    private static final Pattern PART = Pattern.compile("(?!\\.{1,2}$)[^/\\\\\\p{Cntrl}]{1,255}");
    private static final Pattern PORT = Pattern.compile("\\d{1,5}");
    private static final int PARTS = 3;
    /** More in one directory are not listed; they are found by name. */
    private static final int MAX_NAMES = 20_000;

    private final Path workers;
    private final Path daemons;

    /** The files below these directories, which need not exist yet. */
    LogFiles(Path workers, Path daemons) {
        this.workers = workers.toAbsolutePath();
        this.daemons = daemons.toAbsolutePath();
    }

    /** Where Storm's daemons and workers write, by {@code storm.log.dir} and {@code storm.workers.artifacts.dir}. */
    static LogFiles of(Map<String, Object> conf) {
        return new LogFiles(Path.of(ConfigUtils.workerArtifactsRoot(conf)), Path.of(ConfigUtils.getLogDir()));
    }

    /** A file of a worker's, {@code TOPOLOGY/PORT/FILE}. */
    LogFile ofWorker(String name) throws HttpException {
        String[] parts = name.split("/", -1);
        if (parts.length != PARTS) {
            throw HttpException.badRequest("file is " + Parameters.shown(name) + ". Use TOPOLOGY-ID/PORT/FILE, as listLogs has it.");
        }
        return file(directory(parts[0], parts[1]), parts[2]);
    }

    /** A file of a worker's, in its directory. */
    LogFile file(WorkerDirectory directory, String file) throws HttpException {
        requireName("file", file);
        String name = directory.topology() + "/" + directory.port() + "/" + file;
        return new LogFile(real(directory.path(), file, name), name, directory);
    }

    /** A file of a daemon's. */
    LogFile ofDaemon(String name) throws HttpException {
        requireName("file", name);
        Path root = realRoot(daemons);
        return new LogFile(real(root, name, name), name, null);
    }

    /** The directory of a worker. */
    WorkerDirectory directory(String topology, String port) throws HttpException {
        requireName("topology", topology);
        if (!PORT.matcher(port).matches()) {
            throw HttpException.badRequest("port is " + Parameters.shown(port) + ". Use the port of a worker.");
        }
        Path path = realRoot(workers).resolve(topology).resolve(port);
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || !path.equals(realPath(path))) {
            throw HttpException.notFound("No worker of the topology " + Parameters.shown(topology) + " has written logs on this host with"
                + " the port " + port + ".");
        }
        return new WorkerDirectory(path, topology, port);
    }

    /** The directories of workers, sorted by name. */
    List<WorkerDirectory> directories() throws IOException {
        List<WorkerDirectory> found = new ArrayList<>();
        for (String topology : directoriesIn(workers)) {
            found.addAll(directories(topology));
        }
        return found;
    }

    /** The directories of a topology's workers, sorted by port; none if there is no such topology. */
    List<WorkerDirectory> directories(String topology) throws IOException {
        if (!isName(topology) || !Files.isDirectory(workers.resolve(topology), LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        Path path = workers.toRealPath().resolve(topology);
        return directoriesIn(path).stream().filter(port -> PORT.matcher(port).matches())
            .map(port -> new WorkerDirectory(path.resolve(port), topology, port)).toList();
    }

    /** The files of a worker, sorted by name. */
    List<LogFile> files(WorkerDirectory directory) throws IOException {
        return filesIn(directory.path()).stream()
            .map(file -> new LogFile(directory.path().resolve(file), directory.topology() + "/" + directory.port() + "/" + file, directory))
            .toList();
    }

    /** The files of daemons, sorted by name. */
    List<LogFile> ofDaemons() throws IOException {
        if (!Files.isDirectory(daemons)) {
            return List.of();
        }
        Path root = daemons.toRealPath();
        return filesIn(root).stream().map(file -> new LogFile(root.resolve(file), file, null)).toList();
    }

    private static void requireName(String parameter, String name) throws HttpException {
        if (!isName(name)) {
            throw HttpException.badRequest(parameter + " is " + Parameters.shown(name) + ", which is not the name of a file or directory.");
        }
    }

    /** Whether a file can have the name, also in the encoding of this host. */
    private static boolean isName(String name) {
        try {
            return PART.matcher(name).matches() && !Path.of(name).toString().isEmpty();
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static Path real(Path directory, String file, String name) throws HttpException {
        Path path = directory.resolve(file);
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || !path.equals(realPath(path))) {
            throw HttpException.notFound("There is no log " + Parameters.shown(name) + " on this host.");
        }
        return path;
    }

    private static Path realRoot(Path root) throws HttpException {
        Path real = realPath(root);
        if (real == null) {
            throw HttpException.notFound("There are no logs on this host.");
        }
        return real;
    }

    /** Null if there is nothing at the path. */
    private static Path realPath(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return null;
        }
    }

    private static List<String> directoriesIn(Path directory) throws IOException {
        return names(directory, path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static List<String> filesIn(Path directory) throws IOException {
        return names(directory, path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static List<String> names(Path directory, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(wanted).map(path -> path.getFileName().toString()).filter(LogFiles::isName).limit(MAX_NAMES).sorted()
                .toList();
        } catch (NoSuchFileException | NotDirectoryException | AccessDeniedException e) {
            // Removed meanwhile, not there yet, or kept from this process.
            return List.of();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
