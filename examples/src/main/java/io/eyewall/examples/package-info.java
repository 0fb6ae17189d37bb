/**
 * Topologies, one per file, that run unchanged on upstream's Storm and on Eyewall, since they are compiled against upstream's API only.
 *
 * <p>Each is an {@link io.eyewall.examples.ExampleTopology}: a name, a picture, the components, and the results that its sinks must report
 * for a finite number of records, computed from the input alone. {@link io.eyewall.examples.Main} submits each by its name.
 */
package io.eyewall.examples;
