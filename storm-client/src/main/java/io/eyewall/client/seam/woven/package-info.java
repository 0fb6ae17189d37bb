/**
 * The methods that woven code calls, and the fields that the weaver adds to upstream's classes. {@link
 * io.eyewall.client.seam.woven.SeamEntry} finds the seams of the worker that calls. Features use {@link io.eyewall.client.seam}; only code
 * that replaces upstream's code calls this package.
 */
package io.eyewall.client.seam.woven;
