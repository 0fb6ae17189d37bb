/** Storm's REST API: a table of routes, each with the operation that a caller must be allowed and a small handler. */
package io.eyewall.web.api;
