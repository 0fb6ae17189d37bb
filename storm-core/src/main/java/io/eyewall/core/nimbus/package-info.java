/**
 * The checks of Nimbus before it accepts or rebalances a topology, the rebalances that it cannot carry out yet, and the place where modules
 * decorate its scheduler.
 */
package io.eyewall.core.nimbus;
