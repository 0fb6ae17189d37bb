/** The cluster's side of Eyewall: code that runs in and beside upstream's daemons, and behind the {@code storm} command. */
package io.eyewall.core;
