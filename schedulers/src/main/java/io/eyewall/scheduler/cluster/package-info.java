/**
 * The part that all schedulers here share: Storm's cluster in the model of {@code elasticity}. The placement comes from the objects that
 * Nimbus passes to a scheduler, the rates from the heartbeats that workers write to the state storage.
 */
package io.eyewall.scheduler.cluster;
