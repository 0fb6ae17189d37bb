/**
 * Who holds whom back in a running topology: reads how full the workers' queues are, and names the components where the trouble begins.
 *
 * <pre>
 * workers' /queues ── PressureReader ── ExecutorQueue ── BackPressure ── `storm back-pressure`, the REST API
 *                     asks them all                      pure
 * </pre>
 */
package io.eyewall.core.pressure;
