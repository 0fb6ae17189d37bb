/**
 * The one class of ours that upstream's package-private fields force into their package.
 */
package org.apache.storm.daemon.worker;
