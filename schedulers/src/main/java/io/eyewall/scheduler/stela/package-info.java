/** The former names of classes that a {@code storm.yaml} can name. They refuse to start, with the new name in the message. */
package io.eyewall.scheduler.stela;
