/**
 * The settings of the daemons' metrics. They are here since Storm's validation loads every group of settings that a class path offers:
 * a daemon that uses our {@code storm-core} with upstream's {@code storm-client} has none of what a group needs.
 */
package io.eyewall.client.settings.metrics;
