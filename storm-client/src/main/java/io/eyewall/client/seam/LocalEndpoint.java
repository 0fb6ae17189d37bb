package io.eyewall.client.seam;

/**
 * The transport of a worker whose figures another process of the host collects and serves, in place of an endpoint of the worker's at a
 * port that readers know.
 */
public interface LocalEndpoint {

    /** The worker serves its figures on this port of the loopback address. */
    void servesAt(int port);
}
