/** The scheduler that helps topologies to keep their service level objectives, and the keys of an objective. */
package io.eyewall.scheduler.henge;
