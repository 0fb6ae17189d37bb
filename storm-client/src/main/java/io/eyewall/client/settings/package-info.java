/**
 * Configuration keys: each declared once as a {@link io.eyewall.client.settings.Setting}, checked by Storm's own validation when a topology
 * is submitted and when a daemon or worker starts, and read once into a typed configuration object.
 */
package io.eyewall.client.settings;
