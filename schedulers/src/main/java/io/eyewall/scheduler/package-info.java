/** What Nimbus puts around its scheduler. The packages below hold the schedulers and their commands. */
package io.eyewall.scheduler;
