/**
 * The checks of Nimbus before it accepts or rebalances a topology.
 */
package io.eyewall.core.nimbus;
