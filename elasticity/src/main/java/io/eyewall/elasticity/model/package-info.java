/**
 * The state of a cluster as immutable values: machines with their slots, topologies as graphs of operators, and the slot of each executor.
 */
package io.eyewall.elasticity.model;
