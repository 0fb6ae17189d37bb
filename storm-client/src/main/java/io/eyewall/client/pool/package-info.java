/**
 * Executors that share a few threads. Begin with {@link io.eyewall.client.pool.ExecutorPool}, which knows executors only as loop bodies and
 * their queues. This package uses {@code engine}; no other package uses this one.
 */
package io.eyewall.client.pool;
