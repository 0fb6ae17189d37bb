/**
 * What a Supervisor does where the executors of a running worker change: it lets the worker go on if the worker can.
 */
package io.eyewall.core.hot;
