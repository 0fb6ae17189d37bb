/**
 * Topologies, one per file, that run unchanged on upstream's Storm and on Eyewall: they are compiled against upstream's API only.
 *
 * <p>Each is an {@link io.eyewall.examples.ExampleTopology}: a name, a picture, the components, and the results that its sinks must
 * report for a finite number of records, recomputed from the input. {@link io.eyewall.examples.Main} submits any of them by name.
 */
package io.eyewall.examples;
