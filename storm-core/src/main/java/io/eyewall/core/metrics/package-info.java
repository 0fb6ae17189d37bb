/**
 * Serves the metrics of a daemon to Prometheus.
 */
package io.eyewall.core.metrics;
