package io.eyewall.elasticity.measure;

/**
 * An input of a component: a stream of another component, or of its own.
 *
 * @param from the id of the component that emits
 * @param stream the id of the stream
 */
public record Input(String from, String stream) {
}
