/**
 * The keys of the examples, each declared once in {@link io.eyewall.examples.configuration.ExampleKeys}, and the typed object that each
 * component creates from the topology's configuration when it is prepared.
 */
package io.eyewall.examples.configuration;
