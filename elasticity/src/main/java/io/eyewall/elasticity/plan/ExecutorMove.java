package io.eyewall.elasticity.plan;

import io.eyewall.elasticity.model.ExecutorId;
import io.eyewall.elasticity.model.Slot;

/**
 * The decision to move one executor to another slot. Everything else stays where it is.
 *
 * @param executor the executor
 * @param from its slot
 * @param to its new slot: one that the topology already uses or, if the executor is the only one in its slot, a free one
 * @param reason the reason, in one line
 */
public record ExecutorMove(ExecutorId executor, Slot from, Slot to, String reason) {
}
