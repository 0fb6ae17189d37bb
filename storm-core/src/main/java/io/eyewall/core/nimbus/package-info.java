/**
 * What Nimbus checks before it does what it is told.
 */
package io.eyewall.core.nimbus;
