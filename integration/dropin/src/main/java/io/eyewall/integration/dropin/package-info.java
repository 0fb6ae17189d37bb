/**
 * Small topologies, one for each behaviour that must be the same on upstream's installation and on Eyewall's. Every component that
 * matters writes what it sees to a file of its own, one line for each thing, so that two runs can be compared.
 *
 * <p>Compiled against upstream only. {@link io.eyewall.integration.dropin.Submit} submits any of them by name.
 */
package io.eyewall.integration.dropin;
