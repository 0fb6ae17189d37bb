/** The logviewer daemon: shows, searches, hands out and cleans up the log files of a host. */
package io.eyewall.web.logs;
