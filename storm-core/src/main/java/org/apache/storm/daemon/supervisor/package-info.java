/**
 * The one class of ours that upstream's package-private classes force into their package.
 */
package org.apache.storm.daemon.supervisor;
