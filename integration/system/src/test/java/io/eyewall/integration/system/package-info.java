/**
 * Tests of whole clusters: that a topology's jar behaves on Eyewall as on upstream, that nothing is lost when parts die, and that a
 * distribution works where it is unpacked.
 *
 * <pre>
 *   DropInContract --runs--&gt; DropInRun --one thread each--&gt; Behaviour --drives--&gt; DropInCluster --&gt; RunningCluster of one home
 *                    once for each home                     returns what the topology wrote,       (ProcessCluster, ContainerCluster)
 *                                                           in an order that does not vary
 * </pre>
 */
package io.eyewall.integration.system;
