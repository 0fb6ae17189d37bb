/**
 * Empties Supervisors that are to go. Around whichever scheduler Nimbus has:
 *
 * <pre>
 *   storm drain ──request──► blob ◄──reads, responds── DrainingScheduler: hides the slots, moves the workers
 *                                                        └─► the scheduler of storm.scheduler, which sees the other slots
 * </pre>
 *
 * A request stays in its blob until the Supervisor has ended or the request is cancelled, so any Nimbus goes on with it.
 */
package io.eyewall.scheduler.drain;
