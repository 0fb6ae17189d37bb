/**
 * The Java side of {@code bin/storm}: runs main classes, explains a failure in one line, and looks up what the Python side needs.
 *
 * <pre>
 *   bin/storm -> Launcher -> main class of upstream, of Eyewall or of a topology jar
 *                   |  what upstream's commands log       -> CommandLog -> standard output
 *                   |  what they throw -> FailureExplainer -> one line on standard error
 *   bin/storm -> Launcher -> ConfigValues, ClusterStatus   -> JSON on standard output
 *   bin/container -> Launcher -> ContainerConfiguration    -> a storm.yaml, JSON on standard output
 * </pre>
 */
package io.eyewall.client.command;
