/**
 * Weaves the seams of the daemons into upstream's classes at build time. Nothing of this package is in the jar.
 */
package io.eyewall.core.weaving;
