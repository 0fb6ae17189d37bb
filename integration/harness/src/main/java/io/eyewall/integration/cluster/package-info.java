/**
 * Storm clusters of real processes on this machine: ZooKeeper, Nimbus, supervisors and the workers that these launch.
 *
 * <pre>
 *   ClusterSpecification --&gt; ProcessCluster --starts--&gt; Daemon (ZooKeeper, Nimbus, supervisors)
 *                                 |                        | launches
 *                                 |--submits, kills--&gt;  WorkerProcess (found in /proc)
 *                                 `--calls over Thrift--&gt; Topologies
 * </pre>
 *
 * <p>A cluster runs from any {@link io.eyewall.integration.cluster.StormHome} of upstream's layout. Nothing of that home is
 * loaded into the calling JVM: daemons, submissions and workers are processes, and calls to Nimbus use the caller's own client.
 */
package io.eyewall.integration.cluster;
