package io.eyewall.client.frame;

import io.eyewall.client.seam.TupleWire;
import java.util.function.Supplier;

/**
 * The wire that every tuple passes on its way into a frame and out of it, with or without a stamp. A feature hands it to features that join
 * later.
 *
 * @param wires makes the wire of one writer or reader, or null for none; called on the thread that uses it
 */
public record FrameWires(Supplier<TupleWire> wires) {

    /** No wire: nothing travels with the tuples of frames. */
    public static final FrameWires NONE = new FrameWires(() -> null);
}
