/** The process that a Supervisor starts in a slot in place of a worker: it starts, watches and ends the others, and reports for them. */
package io.eyewall.client.stream.container;
