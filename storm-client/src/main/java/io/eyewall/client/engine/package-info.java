/**
 * The worker engine: how executors and the transfer thread wait for work. Upstream's threads sleep for about
 * a millisecond at a time, so a tuple that arrives at an idle thread waits until it wakes. Here the thread that brings work wakes the
 * thread that waits for it.
 */
package io.eyewall.client.engine;
