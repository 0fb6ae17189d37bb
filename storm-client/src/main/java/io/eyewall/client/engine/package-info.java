/**
 * The worker engine: how executors and the transfer thread wait for work. Upstream's wait by sleeping, about a millisecond at a time, so
 * that a tuple which arrives at an idle thread waits for it to wake; here the one who brings work wakes the one who waits for it.
 */
package io.eyewall.client.engine;
