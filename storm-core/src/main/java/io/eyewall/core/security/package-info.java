/**
 * What closes upstream's vulnerabilities in Nimbus, the Supervisors and the DRPC daemon. Each class decides one thing; those whose names
 * end in {@code Delegates} are what woven code calls.
 */
package io.eyewall.core.security;
