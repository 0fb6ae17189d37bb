/**
 * A cluster as values: machines with their slots, topologies as graphs of operators, and which executor is in which slot. It knows nothing
 * of rates or plans.
 */
package io.eyewall.elasticity.model;
