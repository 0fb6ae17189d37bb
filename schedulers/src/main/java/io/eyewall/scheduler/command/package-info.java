/**
 * {@code storm scale}, {@code storm slo} and {@code storm drain}: each sends a request to the cluster's scheduler as a blob, waits for the
 * response, and shows it.
 */
package io.eyewall.scheduler.command;
