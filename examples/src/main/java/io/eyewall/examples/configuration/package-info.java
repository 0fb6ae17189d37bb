/**
 * The keys of the examples, each declared once in {@link io.eyewall.examples.configuration.ExampleKeys}, and the typed object that
 * components make from the topology's configuration when they are prepared.
 */
package io.eyewall.examples.configuration;
