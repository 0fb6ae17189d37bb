/**
 * The workloads of {@code storm bench peers/...} as jobs of Apache Flink, as close to the topologies of the examples as Flink's API allows:
 * the same records, schedule, parallelism and measurements. What is a queue between two executors there is an exchange between two tasks
 * here, so operators are not chained.
 */
package io.eyewall.integration.peers;
