/** The Supervisor's decision when the executors of a running worker change: it lets the worker run on if the worker can change them. */
package io.eyewall.core.hot;
