/**
 * Executors that share a few threads. {@link io.eyewall.client.pool.ExecutorPool} is the entrance: it knows executors only as loop bodies
 * and their queues. It uses the engine, and nothing uses it.
 */
package io.eyewall.client.pool;
