/**
 * The reference of all keys, made from the settings themselves.
 */
package io.eyewall.core.reference;
