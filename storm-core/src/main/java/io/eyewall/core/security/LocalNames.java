package io.eyewall.core.security;

import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * Names under which blobs are linked into a worker's directories. Upstream's Supervisor deletes what is there and makes the link wherever a
 * topology says, outside of these directories as well (CVE-2026-82427). Here a name is that of a file, without a path.
 */
public final class LocalNames {

    private static final String LOCAL_NAME = "localname";

    private LocalNames() {
    }

    /**
     * Checks the names in {@code topology.blobstore.map}, when a topology is submitted or rebalanced.
     *
     * @param blobMap null for none
     * @throws InvalidTopologyException names the blob, its local name and the remedy
     */
    static void check(Object blobMap) throws InvalidTopologyException {
        if (blobMap == null) {
            return;
        }
        if (!(blobMap instanceof Map<?, ?> blobs)) {
            throw new WrappedInvalidTopologyException("topology.blobstore.map is '" + blobMap + "', but must be a map of blobs.");
        }
        for (Map.Entry<?, ?> blob : blobs.entrySet()) {
            Object own = blob.getValue() instanceof Map<?, ?> options ? options.get(LOCAL_NAME) : null;
            Optional<String> fault = fault(own == null ? blob.getKey() : own);
            if (fault.isPresent()) {
                throw new WrappedInvalidTopologyException("topology.blobstore.map has, for the blob '" + blob.getKey() + "', "
                    + fault.get());
            }
        }
    }

    /**
     * In place of {@code new File(directory, name)} where a Supervisor makes links.
     *
     * @throws IOException if the name is not that of a file in the directory
     */
    public static File file(String directory, String name) throws IOException {
        Optional<String> fault = fault(name);
        if (fault.isPresent()) {
            throw new IOException("No link is made in " + directory + ", since topology.blobstore.map has " + fault.get());
        }
        return new File(directory, name);
    }

    private static Optional<String> fault(Object name) {
        boolean good = name instanceof String text && !text.isEmpty() && !text.equals(".") && !text.equals("..")
            && text.indexOf('/') < 0 && text.indexOf(File.separatorChar) < 0 && text.indexOf('\0') < 0;
        return good ? Optional.empty() : Optional.of("the local name '" + name + "', which is not the name of a file."
            + " Choose a name without '/', and submit the topology again.");
    }
}
