/**
 * Measures running topologies and decides how they grow and shrink. Pure Java: nothing here knows Storm's classes, reads a clock or does
 * I/O. Three packages, each of which uses only those before it:
 *
 * <ul>
 *   <li>{@link io.eyewall.elasticity.model}: what a cluster is,
 *   <li>{@link io.eyewall.elasticity.measure}: how fast it runs,
 *   <li>{@link io.eyewall.elasticity.plan}: how it is to change.
 * </ul>
 */
package io.eyewall.elasticity;
