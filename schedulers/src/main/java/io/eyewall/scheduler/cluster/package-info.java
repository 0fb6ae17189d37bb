/**
 * Storm's cluster as the planners of {@code elasticity} understand it: what is where, from the objects that Nimbus hands to a scheduler,
 * and how fast it goes, from the heartbeats that workers leave with the cluster's state. Shared by all schedulers.
 */
package io.eyewall.scheduler.cluster;
