/** What tests send to ports that strangers can reach. */
package io.eyewall.client.fuzz;
