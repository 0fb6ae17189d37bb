/**
 * The checks of Nimbus before it accepts or rebalances a topology, and the place where modules decorate its scheduler.
 */
package io.eyewall.core.nimbus;
