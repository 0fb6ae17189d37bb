/** The settings of growing and shrinking, and the number of tasks that a topology is submitted with because of them. */
package io.eyewall.client.settings.elasticity;
