/**
 * Leaves tasks where they are when a topology is rebalanced. Storm's schedulers then place the topology as if it were new.
 *
 * <pre>
 *   Nimbus ──cluster without the rebalanced topology's assignment──► TaskKeepingScheduler ──► Storm's scheduler
 *                                                                      └─► KeptTasks: exchanges slots and executors of what it chose
 * </pre>
 */
package io.eyewall.scheduler.rebalance;
