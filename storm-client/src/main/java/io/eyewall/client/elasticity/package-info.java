/** What a topology says about growing and shrinking, and the room to grow that it is submitted with. */
package io.eyewall.client.elasticity;
