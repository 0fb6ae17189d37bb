/**
 * The clock that every feature uses. Only {@link io.eyewall.client.time.NanoClock} reads the system's time; all other classes are given a
 * clock.
 */
package io.eyewall.client.time;
