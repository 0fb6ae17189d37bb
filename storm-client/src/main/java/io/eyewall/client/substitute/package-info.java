/**
 * Classes that stand in the place of upstream's in every worker, and come to the same with less work. Nobody chooses them, so there are no
 * keys.
 */
package io.eyewall.client.substitute;
