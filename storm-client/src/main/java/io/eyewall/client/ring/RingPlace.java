package io.eyewall.client.ring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder in which a ring is handed over: its file and the socket of its doorbell, or two files of rings. Only the worker's user may
 * enter it, and its name cannot be guessed. It is there until the other side has both, the connection has ended or the offer is withdrawn,
 * which takes seconds at most. The name begins with the process and its namespace of processes, so that the next worker can remove what
 * one that was killed left behind. A process of another container cannot be seen: its folder is removed by its age.
 */
public final class RingPlace {

    /** Where Linux has memory as files. */
    public static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Permissions of files. */
    static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ENTERS =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Logger LOG = LoggerFactory.getLogger(RingPlace.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String PREFIX = "eyewall-ring-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,20})-(\\d{1,10})-[0-9a-f]{32}");
    /** Longer than an offer lasts. */
    private static final Duration ABANDONED_AFTER = Duration.ofMinutes(1);
    private static final Path PROCESS = Path.of("/proc/self");
    private static final String UNKNOWN = String.valueOf(RANDOM.nextLong(Long.MAX_VALUE));
    private static final int FOLDER_FOR_ITS_OWNER = 0040700;
    private static final int TYPE_AND_PERMISSIONS = 0170777;
    private static final int RANDOM_BYTES = 16;

    private final Path folder;

    private RingPlace(Path folder) {
        this.folder = folder;
    }

    /** Makes a folder below {@code parent}, and removes those of processes that have ended. */
    public static RingPlace create(Path parent) throws IOException {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        String name = PREFIX + namespace() + "-" + ProcessHandle.current().pid() + "-" + HexFormat.of().formatHex(random);
        RingPlace place = new RingPlace(Files.createDirectory(parent.resolve(name), OWNER_ENTERS));
        try {
            removeAbandoned(parent, Files.getLastModifiedTime(place.folder).toInstant());
            return place;
        } catch (IOException e) {
            place.remove();
            throw e;
        }
    }

    /** The folder that another worker has named; empty if it is none, or not there. */
    public static Optional<RingPlace> find(Path parent, String name) {
        Path folder = parent.resolve(NAME.matcher(name).matches() ? name : "");
        return folder.equals(parent.resolve("")) || !Files.isRegularFile(folder.resolve("ring"))
            ? Optional.empty() : Optional.of(new RingPlace(folder));
    }

    /**
     * Refuses a folder that others than this worker's user can enter: they could shorten what is in it, and an access to memory that is
     * gone fails. The names of folders are not used again, so that a file that was opened before is in this folder.
     */
    static void requireOwn(Path folder) throws IOException {
        Map<String, Object> of = Files.readAttributes(folder, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
        if (((int) of.get("mode") & TYPE_AND_PERMISSIONS) != FOLDER_FOR_ITS_OWNER
                || !of.get("uid").equals(Files.getAttribute(PROCESS, "unix:uid"))) {
            throw new IOException(folder + " is no folder that only this worker's user may enter.");
        }
    }

    /** What another worker finds the folder by. */
    public String name() {
        return folder.getFileName().toString();
    }

    /** The file of the ring. */
    public Path ring() {
        return folder.resolve("ring");
    }

    /** The file of a ring in the other direction, where one connection has both. */
    public Path back() {
        return folder.resolve("back");
    }

    /** The socket of the doorbell, where the connection itself is none. */
    public Path bell() {
        return folder.resolve("bell");
    }

    /** Removes the folder; what has been opened stays usable. For both sides; whoever comes second finds nothing. */
    public void remove() throws IOException {
        Files.deleteIfExists(ring());
        Files.deleteIfExists(back());
        Files.deleteIfExists(bell());
        Files.deleteIfExists(folder);
    }

    private static void removeAbandoned(RingPlace place) {
        try {
            place.remove();
        } catch (IOException e) {
            LOG.warn("Cannot remove {}, which a worker that was killed has left. Remove it by hand.", place.folder, e);
        }
    }

    private static void removeAbandoned(Path parent, Instant now) throws IOException {
        try (var folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : folders) {
                Matcher name = NAME.matcher(folder.getFileName().toString());
                if (name.matches() && Files.isWritable(folder) && isAbandoned(folder, name, now)) {
                    removeAbandoned(new RingPlace(folder));
                }
            }
        }
    }

    private static boolean isAbandoned(Path folder, Matcher name, Instant now) throws IOException {
        try {
            return (name.group(1).equals(namespace()) && ProcessHandle.of(Long.parseLong(name.group(2))).isEmpty())
                || Files.getLastModifiedTime(folder).toInstant().isBefore(now.minus(ABANDONED_AFTER));
        } catch (NoSuchFileException e) {
            return false; // It has just been removed.
        }
    }

    /** The number of this worker's namespace of processes; if the kernel hides it, one that no other worker has. */
    private static String namespace() {
        try {
            return Files.readSymbolicLink(PROCESS.resolve("ns/pid")).toString().replaceAll("\\D", "");
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
