package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;

/**
 * One executor goes to another slot; everything else stays.
 *
 * @param executor the executor
 * @param from where it is
 * @param to where it goes: a slot that the topology uses already, or, where the executor is the last one in its slot, a free one
 * @param reason why, in one line
 */
public record ExecutorMove(ExecutorId executor, Slot from, Slot to, String reason) {
}
