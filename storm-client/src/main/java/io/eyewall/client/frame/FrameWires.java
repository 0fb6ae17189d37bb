package io.eyewall.client.frame;

import io.eyewall.client.seam.TupleWire;
import java.util.function.Supplier;

/**
 * The wire that every tuple passes on its way into a frame, with or without a stamp. A feature hands it to features that join later.
 *
 * @param wires makes the wire of one writer, on the thread that uses it
 */
public record FrameWires(Supplier<TupleWire> wires) {
}
