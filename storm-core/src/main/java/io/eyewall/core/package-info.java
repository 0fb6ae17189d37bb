/**
 * The cluster's side of Eyewall: what runs beside upstream's daemons and behind the {@code storm} command.
 */
package io.eyewall.core;
