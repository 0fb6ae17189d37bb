/**
 * What Nimbus checks before it rebalances a topology.
 */
package io.eyewall.core.nimbus;
