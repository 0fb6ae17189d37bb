/** What a topology says of its tail that others than its workers have to know: schedulers, too. */
package io.eyewall.client.tail;
