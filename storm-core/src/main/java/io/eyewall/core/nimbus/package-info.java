/**
 * The checks of Nimbus before it rebalances a topology.
 */
package io.eyewall.core.nimbus;
