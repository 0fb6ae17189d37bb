/**
 * The Supervisor's decision when the executors of a running worker change: it lets the worker run on if the worker can change them. Nimbus
 * creates the node below which workers announce their tasks.
 */
package io.eyewall.core.hot;
