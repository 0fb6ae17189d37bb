/** The web server that the daemons with HTTP share, and the keys that each of them has for it. */
package io.eyewall.web.server;
