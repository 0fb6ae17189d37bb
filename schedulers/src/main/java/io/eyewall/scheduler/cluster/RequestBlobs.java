package io.eyewall.scheduler.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one kind that clients have left in blobs. Not thread-safe.
 *
 * @param <R> a request
 */
public final class RequestBlobs<R> {

    private static final Logger LOG = LoggerFactory.getLogger(RequestBlobs.class);

    private final Blobs blobs;
    private final String prefix;
    private final Function<byte[], R> parser;
    private final Function<R, String> key;

    /**
     * The requests whose keys have a prefix.
     *
     * @param parser makes a request of a blob's contents, or throws {@link IllegalArgumentException}
     * @param key the key that a request belongs under: the prefix and its id
     */
    public RequestBlobs(Blobs blobs, String prefix, Function<byte[], R> parser, Function<R, String> key) {
        this.blobs = blobs;
        this.prefix = prefix;
        this.parser = parser;
        this.key = key;
    }

    /** All requests that can be read now. A blob that is no request, or that bears the id of another, is deleted. */
    public List<R> read() {
        List<R> requests = new ArrayList<>();
        blobs.keys(prefix).forEach(found -> {
            try {
                read(found).ifPresent(requests::add);
            } catch (IllegalArgumentException e) {
                LOG.warn("Blob {} is deleted: {}", found, e.getMessage());
                blobs.delete(found);
            } catch (IllegalStateException e) {
                LOG.info("{}. The next round tries again.", e.getMessage());
            }
        });
        return requests;
    }

    private Optional<R> read(String found) {
        Optional<R> request = blobs.read(found).map(parser);
        String own = request.map(key).orElse(found);
        if (!own.equals(found)) {
            throw new IllegalArgumentException("it is for request " + own.substring(prefix.length()));
        }
        return request;
    }
}
