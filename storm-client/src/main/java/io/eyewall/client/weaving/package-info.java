/**
 * Weaves the seams into upstream's classes at build time. Nothing of this package is in the jar.
 */
package io.eyewall.client.weaving;
