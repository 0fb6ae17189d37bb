/**
 * The Supervisor's decision when the executors of a running worker change: it lets the worker run on if the worker can change them. Nimbus
 * makes the place where workers tell each other.
 */
package io.eyewall.core.hot;
