/** Blobs that Nimbus keeps for Eyewall: reports, logs and commands, none of them large. */
package io.eyewall.client.blob;
