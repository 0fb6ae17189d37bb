/** {@code storm scale}: sends a request to the cluster's scheduler, shows the plan, and asks Nimbus for the rebalance that applies it. */
package io.eyewall.scheduler.command;
