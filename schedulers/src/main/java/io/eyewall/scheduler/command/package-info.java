/** {@code storm scale}: posts an order with the cluster's scheduler, shows the plan, asks Nimbus for the rebalance that applies it. */
package io.eyewall.scheduler.command;
