/**
 * Which executors of an assignment run in which instance, and what an instance sees of the others: pure functions of the assignment, and
 * the reader of the assignment.
 */
package io.eyewall.client.stream.plan;
