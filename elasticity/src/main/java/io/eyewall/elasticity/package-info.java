/**
 * Measures running topologies and decides how they grow and shrink. Pure Java: nothing here knows Storm's classes, reads a clock or does
 * I/O. Each package uses only those before it:
 *
 * <ul>
 *   <li>{@link io.eyewall.elasticity.model}: what a cluster is,
 *   <li>{@link io.eyewall.elasticity.measure}: how fast it runs,
 *   <li>{@link io.eyewall.elasticity.slo}: what a topology is promised, and how far the promise is kept,
 *   <li>{@link io.eyewall.elasticity.plan}: how a topology is to change,
 *   <li>{@link io.eyewall.elasticity.henge}: which topologies of the cluster are to change, so that each keeps its promise.
 * </ul>
 */
package io.eyewall.elasticity;
