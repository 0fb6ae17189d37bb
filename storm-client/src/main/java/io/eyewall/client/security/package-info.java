/**
 * What closes upstream's vulnerabilities in clients, workers and what they share with the daemons. Each class decides one thing;
 * {@link io.eyewall.client.security.WovenSecurity} and {@link io.eyewall.client.security.SecurityDelegates} are what woven code calls.
 */
package io.eyewall.client.security;
